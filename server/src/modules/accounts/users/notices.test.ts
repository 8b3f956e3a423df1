import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTx } from '../../../ctx.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { forgetNotices, type NewNotice, notify, removeUsers } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

type Person = Awaited<ReturnType<TestApp['register']>>;

const tell = (...notices: NewNotice[]) => inTx(systemCtx(t.app.services), (ctx) => notify(ctx, ...notices));
const forget = (...taken: Parameters<typeof forgetNotices>[1]) =>
  inTx(systemCtx(t.app.services), (ctx) => forgetNotices(ctx, taken));

const people = (...names: string[]) =>
  Promise.all(names.map((displayName) => t.register(undefined, { displayName })));

const essay = (title = '标题') => {
  const id = newId();
  return { id, title, url: `/told/of/${id}.html` };
};
type Target = ReturnType<typeof essay>;

const like = (to: Person, by: Person, target: Target): NewNotice => ({
  userId: to.user.id,
  kind: 'like',
  actorId: by.user.id,
  text: '赞了你的文章',
  target,
});
const unlike = (to: Person, by: Person, target: Target) =>
  ({ userId: to.user.id, kind: 'like', actorId: by.user.id, targetId: target.id }) as const;

const list = async (who: Person, input: object = {}) =>
  (await t.call('GET core/user/notice', { pageSize: 100, ...input }, { token: who.token })).data;
const likesOf = async (who: Person) => (await list(who, { kind: 'like' })).list;
const unread = async (who: Person) =>
  (await t.call('GET core/user/notice/unread', {}, { token: who.token })).data;
const mark = (who: Person, input: object) => t.call('PUT core/user/notice', input, { token: who.token });

/** Every kept count is the number of its rows. */
async function expectInStep(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select user_id, kind from notice_counts
    full join (
      select notices.user_id, kind, count(*) as total,
        count(*) filter (where read_at is null and notices.position > read_to) as unread
      from notices join notice_boxes on notice_boxes.user_id = notices.user_id group by 1, 2
    ) as counted using (user_id, kind)
    where notice_counts.total is distinct from coalesce(counted.total, 0)
      or notice_counts.unread is distinct from coalesce(counted.unread, 0)`);
  expect(rows).toEqual([]);
  const wrong = await t.app.services.pool.query(
    'select id from notices where actors <> (select count(*) from notice_actors where notice_id = notices.id)',
  );
  expect(wrong.rows).toEqual([]);
}

test('messages of one conversation are one notice, the newest, read or not', async () => {
  const [reader, lin, zhou] = (await people('读者', '林砚', '周野')) as [Person, Person, Person];
  const [chat, room] = [newId(), newId()];
  const say = (by: Person, id: string, excerpt: string) =>
    tell({
      userId: reader.user.id,
      kind: 'message',
      actorId: by.user.id,
      text: '给你发来私聊',
      target: { id, title: '', url: '/account/center.html?tab=chat' },
      excerpt,
    });
  const messages = async () =>
    (await list(reader, { kind: 'message' })).list.map(({ excerpt, read, count }) => [excerpt, read, count]);
  await say(lin, chat, '一');
  await say(lin, chat, '二');
  expect(await messages()).toEqual([['二', false, 1]]);
  expect((await unread(reader)).kinds.message).toBe(1);
  await mark(reader, { all: true });
  await say(zhou, room, '群里');
  await say(lin, chat, '三');
  expect(await messages()).toEqual([
    ['三', false, 1],
    ['群里', false, 1],
  ]);
  expect((await unread(reader)).kinds.message).toBe(2);
  await Promise.all([say(lin, chat, '同时'), say(lin, chat, '同时')]);
  expect(await messages()).toHaveLength(2);
  await expectInStep();
});

test('what several do with one thing is one notice, which names the newest and counts them all', async () => {
  const [author, lin, zhou, su, ye] = (await people('作者', '林砚', '周野', '苏禾', '叶知')) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const [one, other] = [essay('第一篇'), essay('第二篇')];
  const texts = async () => (await likesOf(author)).map((notice) => notice.text);
  await tell(like(author, lin, one));
  expect(await texts()).toEqual(['林砚 赞了你的文章《第一篇》']);
  await tell(like(author, zhou, one));
  expect(await texts()).toEqual(['周野、林砚 赞了你的文章《第一篇》']);
  await tell(like(author, su, other));
  await tell(like(author, su, one), like(author, ye, one), like(author, lin, one));
  expect(await texts()).toEqual(['叶知、苏禾 等 4 人赞了你的文章《第一篇》', '苏禾 赞了你的文章《第二篇》']);
  const [first] = await likesOf(author);
  expect(first).toMatchObject({
    count: 4,
    verb: '赞了你的文章',
    target: { title: '第一篇', url: one.url },
    excerpt: '',
    read: false,
  });
  expect(first?.actors.map((each) => each.displayName)).toEqual(['叶知', '苏禾', '周野']);
  expect((await unread(author)).kinds).toMatchObject({ like: 2, system: 1 });
  await expectInStep();
});

test('once read, the next one is a new notice', async () => {
  const [author, lin, zhou] = (await people('作者', '林砚', '周野')) as [Person, Person, Person];
  const target = essay();
  await tell(like(author, lin, target));
  await mark(author, { ids: [(await likesOf(author))[0]?.id] });
  await tell(like(author, zhou, target));
  await mark(author, { all: true });
  await tell(like(author, lin, target));
  expect((await likesOf(author)).map(({ text, read }) => [text, read])).toEqual([
    ['林砚 赞了你的文章《标题》', false],
    ['周野 赞了你的文章《标题》', true],
    ['林砚 赞了你的文章《标题》', true],
  ]);
  expect((await unread(author)).kinds.like).toBe(1);
  await expectInStep();
});

test('what is said is told each time, with its beginning', async () => {
  const [author, lin] = (await people('作者', '林砚')) as [Person, Person];
  const target = essay();
  const said = (excerpt: string): NewNotice => ({
    ...like(author, lin, target),
    kind: 'comment',
    text: '评论了你的文章',
    excerpt,
  });
  await tell(said('第一句'), said('第二句'));
  const { list: told } = await list(author, { kind: 'comment' });
  expect(told.map(({ text, excerpt, count }) => [text, excerpt, count])).toEqual([
    ['林砚 评论了你的文章《标题》', '第二句', 1],
    ['林砚 评论了你的文章《标题》', '第一句', 1],
  ]);
  await mark(author, { all: true });
  await forget({ ...unlike(author, lin, target), kind: 'comment' });
  expect((await list(author, { kind: 'comment' })).total).toBe(0);
  await expectInStep();
});

test('what was taken back is told no more, unless it was read', async () => {
  const [author, lin, zhou] = (await people('作者', '林砚', '周野')) as [Person, Person, Person];
  const target = essay();
  await tell(like(author, lin, target), like(author, zhou, target));
  await forget(unlike(author, zhou, target));
  expect((await likesOf(author)).map((notice) => notice.text)).toEqual(['林砚 赞了你的文章《标题》']);
  await forget(unlike(author, zhou, target));
  await forget(unlike(author, lin, essay()));
  await expectInStep();
  await forget(unlike(author, lin, target));
  expect(await likesOf(author)).toEqual([]);
  expect((await unread(author)).kinds.like).toBe(0);
  await tell(like(author, lin, target));
  await mark(author, { all: true });
  await forget(unlike(author, lin, target));
  expect(await likesOf(author)).toHaveLength(1);
  await expectInStep();
});

test('neither one’s own deeds, nor those of blocked people, nor kinds that are switched off', async () => {
  const [author, lin] = (await people('作者', '林砚')) as [Person, Person];
  const target = essay();
  await tell(like(author, author, target));
  await t.call('POST core/user/block', { userId: lin.user.id }, { token: author.token });
  await tell(like(author, lin, target));
  await tell({ ...like(author, lin, target), userId: newId() });
  expect(await likesOf(author)).toEqual([]);
  await t.call('DELETE core/user/block', { userId: lin.user.id }, { token: author.token });
  await t.call('PUT core/user/', { notify: { like: false } }, { token: author.token });
  await tell(like(author, lin, target), { userId: author.user.id, kind: 'system', text: '这个要听' });
  expect((await unread(author)).kinds).toMatchObject({ like: 0, system: 2 });
  await t.call('PUT core/user/', { notify: { like: true } }, { token: author.token });
  await tell(like(author, lin, target));
  expect((await unread(author)).kinds.like).toBe(1);
  await expectInStep();
});

test('marking read touches only the given ones, and only one’s own', async () => {
  const [mine, other] = (await people('甲', '乙')) as [Person, Person];
  await tell({ userId: mine.user.id, kind: 'audit', text: '通过了' });
  const ids = (await list(mine)).list.slice(0, 1).map((each) => each.id);
  await mark(other, { ids });
  expect((await unread(mine)).total).toBe(2);
  await mark(mine, { ids });
  await mark(mine, { ids });
  expect(await unread(mine)).toMatchObject({ total: 1, kinds: { audit: 0, system: 1 } });
  const me = await t.call('GET core/user/', {}, { token: mine.token });
  expect(me.data).toMatchObject({ unread: 1 });
  await mark(mine, { all: true });
  await mark(mine, { ids });
  expect((await unread(mine)).total).toBe(0);
  expect((await list(mine)).list.every((each) => each.read)).toBe(true);
  await tell({ userId: mine.user.id, kind: 'audit', text: '又通过了' });
  expect((await list(mine)).list.map((each) => each.read)).toEqual([false, true, true]);
  expect((await unread(mine)).total).toBe(1);
  await expectInStep();
});

test('neither ids nor all, or without signing in, is refused', async () => {
  const { token } = await t.register();
  for (const input of [{}, { ids: ['x'] }, { all: false }]) {
    expect((await t.call('PUT core/user/notice', input, { token })).status).toBe(422);
  }
  expect((await t.call('PUT core/user/notice', { all: true })).status).toBe(401);
  expect((await t.call('GET core/user/notice/unread')).status).toBe(401);
});

test('told, read and taken back by many at once: every count is that of the rows', async () => {
  const authors = (await people('甲', '乙')) as [Person, Person];
  const readers = await Promise.all(Array.from({ length: 8 }, () => t.register()));
  const targets = [essay(), essay(), essay()];
  const deeds = Array.from({ length: 120 }, async (_, at) => {
    const author = authors[at % 2] as Person;
    const reader = readers[(at * 5) % 8] as Person;
    const target = targets[at % 3] as Target;
    if (at % 10 === 9) return mark(author, { all: true });
    if (at % 10 === 8)
      return mark(author, { ids: (await list(author)).list.slice(0, 3).map(({ id }) => id) });
    if (at % 3 === 2) return forget(...authors.map((each) => unlike(each, reader, target)));
    return tell(...authors.toReversed().map((each) => like(each, reader, target)));
  });
  await Promise.all(deeds);
  await expectInStep();
  const { rows } = await t.app.services.pool.query(
    `select 1 from notices join notice_boxes using (user_id) where read_at is null and notices.position > read_to
      and kind = 'like' group by user_id, target_id having count(*) > 1`,
  );
  expect(rows).toEqual([]);
});

test('whoever is removed has done nothing, and what nobody has done is not told', async () => {
  const [author, lin, zhou] = (await people('作者', '林砚', '周野')) as [Person, Person, Person];
  const [one, other] = [essay('第一篇'), essay('第二篇')];
  await tell(like(author, lin, one), like(author, zhou, one), like(author, zhou, other));
  await tell(like(zhou, author, other));
  await removeUsers(createDb(t.app.services.pool), [zhou.user.id]);
  expect((await likesOf(author)).map((notice) => notice.text)).toEqual(['林砚 赞了你的文章《第一篇》']);
  expect((await unread(author)).kinds.like).toBe(1);
  await expectInStep();
});

test('an open page hears of a notice, of one that was joined and of one taken back', async () => {
  const [author, lin] = (await people('作者', '林砚')) as [Person, Person];
  const heard: UnreadCounts[] = [];
  openSocket(t, author.token).on('unread', (counts) => heard.push(counts));
  await expect.poll(() => heard.at(-1)?.total).toBe(1);
  const target = essay();
  await tell(like(author, lin, target));
  await expect.poll(() => heard.at(-1)).toMatchObject({ total: 2, kinds: { like: 1 } });
  await forget(unlike(author, lin, target));
  await expect.poll(() => heard.at(-1)).toMatchObject({ total: 1, kinds: { like: 0 } });
});
