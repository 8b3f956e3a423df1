import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { notify, removeNotices, removeUsers, updateExcerpts } from './index.ts';

let t: TestApp;
let secondProcess: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  secondProcess = await startTestApp({ sameDatabaseAs: t });
});
afterAll(async () => {
  await secondProcess.close();
  await t.close();
});

type Person = Awaited<ReturnType<TestApp['register']>>;
const person = (displayName: string) => t.register(undefined, { displayName });

const act = (run: (ctx: ReturnType<typeof systemCtx>) => Promise<void>, app: TestApp = t) =>
  inTransaction(systemCtx(app.app.services), run);

interface Words {
  groupId: string;
  excerpt: string;
  id?: string;
}

const comment = (to: Person, by: Person, { groupId, excerpt, id = newId() }: Words) => ({
  userId: to.user.id,
  kind: 'comment' as const,
  actorId: by.user.id,
  text: '评论了你的文章',
  target: { id, title: '标题', url: `/told/of/${groupId}.html#cmt-${id}` },
  excerpt,
  groupId,
});
const refOf = (notice: ReturnType<typeof comment>) => ({ ...notice, targetId: notice.target.id });

const list = async (who: Person, kind = 'comment') =>
  (await t.call('GET core/user/notice', { kind, pageSize: 100 }, { token: who.token })).data.list;
const unread = async (who: Person) =>
  (await t.call('GET core/user/notice/unread', {}, { token: who.token })).data;

/** Checks the stored counts of notices and of their actors against the rows. */
async function expectCountsMatchRows(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select id from notices where kind = 'comment' and (
      actors <> (select count(*) from notice_actors where notice_id = notices.id)
      or actors <> (select count(distinct user_id) from notice_events where notice_id = notices.id))
    union all
    select user_id from notice_counts join notice_boxes using (user_id) where notice_counts.unread <> (
      select count(*) from notices where notices.user_id = notice_counts.user_id
        and notices.kind = notice_counts.kind and read_at is null and notices.position > read_to)`);
  expect(rows).toEqual([]);
}

test('groups unread comments of one essay, with the newest entries and every actor once', async () => {
  const [author, lin, zhou] = [await person('作者'), await person('林砚'), await person('周野')];
  const [one, other] = [newId(), newId()];
  for (const [by, excerpt] of [
    [lin, '一'],
    [zhou, '二'],
    [lin, '三'],
    [lin, '四'],
  ] as const)
    await act((ctx) => notify(ctx, comment(author, by, { groupId: one, excerpt })));
  await act((ctx) => notify(ctx, comment(author, zhou, { groupId: other, excerpt: '另一篇' })));
  const [newest, group] = await list(author);
  expect(newest).toMatchObject({ text: '周野 评论了你的文章《标题》', count: 1, excerpt: '另一篇' });
  expect(group).toMatchObject({ text: '林砚、周野 评论了你的文章《标题》', count: 2, excerpt: '四' });
  expect(group?.items.map(({ name, excerpt }) => [name, excerpt])).toEqual([
    ['林砚', '四'],
    ['林砚', '三'],
    ['周野', '二'],
  ]);
  expect(group?.target?.url).toBe(group?.items[0]?.url);
  const before = await unread(author);
  expect(before.kinds.comment).toBe(2);

  await act((ctx) => notify(ctx, comment(author, lin, { groupId: one, excerpt: '五' })));
  expect((await list(author)).map(({ excerpt }) => excerpt)).toEqual(['五', '另一篇']);
  const after = await unread(author);
  expect(after.kinds.comment).toBe(2);
  expect(after.latest).toBeGreaterThan(before.latest);

  // A read group is closed: what follows begins another.
  await t.call('PUT core/user/notice', { ids: [group?.id ?? ''] }, { token: author.token });
  expect((await unread(author)).kinds.comment).toBe(1);
  await act((ctx) => notify(ctx, comment(author, zhou, { groupId: one, excerpt: '六' })));
  expect((await list(author)).map(({ excerpt, read, count }) => [excerpt, read, count])).toEqual([
    ['六', false, 1],
    ['五', true, 2],
    ['另一篇', false, 1],
  ]);
  await expectCountsMatchRows();
});

test('a removed or edited comment changes its group, and the last one removes it', async () => {
  const [author, lin, zhou] = [await person('作者'), await person('林砚'), await person('周野')];
  const groupId = newId();
  const [first, second, third] = [
    comment(author, lin, { groupId, excerpt: '一' }),
    comment(author, zhou, { groupId, excerpt: '二' }),
    comment(author, lin, { groupId, excerpt: '三' }),
  ];
  await act((ctx) => notify(ctx, first, second, third));
  const group = async () =>
    (await list(author)).map(({ excerpt, count, items }) => [excerpt, count, items.length]);
  expect(await group()).toEqual([['三', 2, 3]]);
  await act((ctx) => updateExcerpts(ctx, [refOf(third)], '三（改）'));
  expect(await group()).toEqual([['三（改）', 2, 3]]);
  await act((ctx) => removeNotices(ctx, [refOf(third)]));
  expect(await group()).toEqual([['二', 2, 2]]);
  await act((ctx) => removeNotices(ctx, [refOf(first)]));
  expect(await group()).toEqual([['二', 1, 1]]);
  await act((ctx) => removeNotices(ctx, [refOf(second)]));
  expect(await group()).toEqual([]);
  expect((await unread(author)).kinds.comment).toBe(0);
  await expectCountsMatchRows();
});

test('blocking or deleting an actor leaves what the others said', async () => {
  const [author, lin, zhou, su] = [
    await person('作者'),
    await person('林砚'),
    await person('周野'),
    await person('苏禾'),
  ];
  const groupId = newId();
  for (const by of [lin, zhou, su])
    await act((ctx) => notify(ctx, comment(author, by, { groupId, excerpt: by.user.displayName })));
  await t.call('POST core/user/block', { userId: su.user.id }, { token: author.token });
  expect(await list(author)).toMatchObject([{ excerpt: '周野', count: 2, items: [{}, {}] }]);
  await act((ctx) => removeUsers(ctx.db, [zhou.user.id]));
  expect(await list(author)).toMatchObject([{ excerpt: '林砚', count: 1, items: [{ name: '林砚' }] }]);
  await expectCountsMatchRows();
});

test('keeps one group and correct numbers when comments of two processes arrive together', async () => {
  const author = await person('作者');
  const groupId = newId();
  const readers = await Promise.all(['甲', '乙', '丙', '丁'].map(person));
  await Promise.all(
    Array.from({ length: 24 }, (_, at) => {
      const by = readers[at % readers.length] as Person;
      return act(
        (ctx) => notify(ctx, comment(author, by, { groupId, excerpt: `第 ${at} 条` })),
        at % 2 === 0 ? t : secondProcess,
      );
    }),
  );
  expect(await list(author)).toMatchObject([{ count: 4 }]);
  expect((await unread(author)).kinds.comment).toBe(1);
  await expectCountsMatchRows();
});

test('replies of one thread and comments of one essay come together, through the real calls', async () => {
  const [author, lin, zhou] = [await createWriter(t), await person('林砚'), await person('周野')];
  const essayId = await publishEssay(t, author, { title: '一篇文章' });
  const say = async ({ token }: { token: string }, content: string) =>
    (await t.call('POST core/essay/cmt', { essayId, content }, { token })).data;
  const reply = async ({ token }: { token: string }, content: string) =>
    (await t.call('POST core/essay/cmt/reply', { cmtId: root.id, content }, { token })).data;
  const root = await say(lin, '开头');
  await say(zhou, '另起一行');
  for (const words of ['回一', '回二']) await reply(zhou, words);
  const last = await reply(author, '回三');
  expect(await list(lin, 'reply')).toMatchObject([
    { count: 2, verb: '回复了你在《》下的评论', items: [{ excerpt: '回三' }, {}, { excerpt: '回一' }] },
  ]);
  expect(await list(author)).toMatchObject([{ count: 2, excerpt: '另起一行' }]);
  await t.call('DELETE core/essay/cmt', { id: last.id }, { token: author.token });
  expect(await list(lin, 'reply')).toMatchObject([{ count: 1, excerpt: '回二', items: [{}, {}] }]);
  await expectCountsMatchRows();
});

test('finds groups and their entries by index', async () => {
  const client = await t.app.services.pool.connect();
  try {
    await client.query('begin');
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await client.query(`set local enable_${way} = off`);
    const plan = async (query: string) =>
      (await client.query(`explain ${query}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
    const id = `'${newId()}'`;
    expect(
      await plan(`select 1 from notice_events where notice_id = ${id} order by position desc limit 3`),
    ).toContain('notice_events_newest');
    expect(await plan(`select 1 from notice_events where event_id = ${id}`)).toContain('notice_events_event');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('what a blocked user wrote is neither listed nor shown as the newest of a group', async () => {
  const [author, lin, zhou] = [await person('作者'), await person('林砚'), await person('周野')];
  const groupId = newId();
  await act((ctx) => notify(ctx, comment(author, lin, { groupId, excerpt: '友善的话' })));
  await act((ctx) => notify(ctx, comment(author, zhou, { groupId, excerpt: '骂人的话' })));
  expect((await list(author))[0]?.excerpt).toBe('骂人的话');
  await t.call('POST core/user/block', { userId: zhou.user.id }, { token: author.token });
  const [notice] = await list(author);
  expect(notice?.items.map(({ excerpt }) => excerpt)).toEqual(['友善的话']);
  expect(notice).toMatchObject({ excerpt: '友善的话', target: { url: notice?.items[0]?.url } });
});
