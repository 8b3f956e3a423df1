import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { type NewNotice, notify } from '../../accounts/users/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const notifyUsers = (...notices: NewNotice[]) =>
  inTransaction(systemCtx(t.app.services), (ctx) => notify(ctx, ...notices));

const list = (input: object, token?: string) => t.call('GET core/user/notice', input, { token });

test('lists notices newest first by kind and page; system notices have no actors', async () => {
  const { token, user } = await t.register();
  for (let i = 0; i < 4; i++) await notifyUsers({ userId: user.id, kind: 'audit', text: `第 ${i} 条` });
  const first = await list({ pageSize: 3 }, token);
  expect(first.data.total).toBe(5);
  expect(first.data.list.map((each) => each.text)).toEqual(['第 3 条', '第 2 条', '第 1 条']);
  expect(first.data.list[0]).toMatchObject({ actors: [], count: 0, verb: '', target: null });
  const audits = await list({ kind: 'audit', page: 2, pageSize: 3 }, token);
  expect(audits.data.list.map((each) => each.text)).toEqual(['第 0 条']);
  expect(audits.data.total).toBe(4);
  expect((await list({ kind: 'like' }, token)).data).toMatchObject({ list: [], total: 0, next: null });
});

test('returns every notice once by cursor while new ones arrive', async () => {
  const { token, user } = await t.register();
  await notifyUsers(
    ...Array.from({ length: 22 }, (_, at) => ({
      userId: user.id,
      kind: at % 2 === 0 ? ('audit' as const) : ('system' as const),
      text: `第 ${at} 条`,
    })),
  );
  for (const [kind, total] of [
    [undefined, 23],
    ['audit', 11],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { data } = await list({ pageSize: 4, ...(kind && { kind }), ...(cursor && { cursor }) }, token);
      seen.push(...data.list.map((each) => each.id));
      cursor = data.next;
      if (kind === undefined) await notifyUsers({ userId: user.id, kind: 'reward', text: '来了新的' });
    } while (cursor !== null);
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
  }
});

test('returns only own notices, and rejects visitors and invalid input', async () => {
  const [mine, other] = [await t.register(), await t.register()];
  await notifyUsers({ userId: mine.user.id, kind: 'audit', text: '只给一个人' });
  expect((await list({ kind: 'audit' }, other.token)).data.total).toBe(0);
  expect((await list({})).status).toBe(401);
  const malformed = Buffer.from(JSON.stringify(['x', newId()])).toString('base64url');
  for (const input of [{ kind: 'x' }, { pageSize: 0 }, { cursor: 'nonsense' }, { cursor: malformed }]) {
    expect((await list(input, mine.token)).status).toBe(422);
  }
});

test('uses an index for every query', async () => {
  const { user } = await t.register();
  const client = await t.app.services.pool.connect();
  const plan = async (where: string) => {
    const { rows } = await client.query(
      `explain select * from notices where user_id = '${user.id}' ${where} order by position desc limit 10`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  try {
    await client.query('begin');
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await client.query(`set local enable_${way} = off`);
    expect(await plan('and position < 9')).toContain('using notices_user ');
    expect(await plan(`and kind = 'like' and position < 9`)).toContain('using notices_user_kind');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('hides notices of an actor who was blocked later', async () => {
  const [mine, friend, blockedUser] = [
    await t.register(),
    await t.register(undefined, { displayName: '朋友' }),
    await t.register(undefined, { displayName: '讨厌鬼' }),
  ];
  const createNotice = (by: { user: { id: string } }, kind: 'like' | 'comment', id: string): NewNotice => ({
    userId: mine.user.id,
    kind,
    actorId: by.user.id,
    text: '做了什么',
    target: { id, title: '标题', url: `/essay/detail/${id}.html` },
  });
  const [alone, both] = [newId(), newId()];
  await notifyUsers(
    createNotice(blockedUser, 'like', alone),
    createNotice(friend, 'like', both),
    createNotice(blockedUser, 'like', both),
  );
  await notifyUsers(createNotice(blockedUser, 'comment', newId()));
  await t.call('PUT core/user/notice', { all: true }, { token: mine.token });
  // Some notices are read and some unread.
  await notifyUsers(
    createNotice(blockedUser, 'comment', newId()),
    createNotice(blockedUser, 'like', newId()),
  );
  await t.call('POST core/user/block', { userId: blockedUser.user.id }, { token: mine.token });
  const { data } = await list({}, mine.token);
  expect(JSON.stringify(data)).not.toContain('讨厌鬼');
  expect(data.list.filter((each) => each.kind !== 'system').map((each) => each.text)).toEqual([
    '朋友 做了什么《标题》',
  ]);
  expect((await t.call('GET core/user/notice/unread', {}, { token: mine.token })).data.total).toBe(0);
});

test('removes the link of a deleted essay but keeps its title', async () => {
  const [author, reader] = [await createWriter(t), await t.register(undefined, { displayName: '周野' })];
  const [kept, gone] = [
    await publishEssay(t, author, { title: '留下的' }),
    await publishEssay(t, author, { title: '删掉的' }),
  ];
  for (const essayId of [kept, gone]) {
    await t.call('POST core/essay/like', { essayId }, { token: reader.token });
    const { data } = await t.call('POST core/essay/cmt', { essayId, content: '好' }, { token: author.token });
    await t.call('POST core/essay/cmt/like', { id: data.id }, { token: reader.token });
  }
  const likes = async () => (await list({ kind: 'like' }, author.token)).data.list;
  expect((await likes()).every(({ target }) => target !== null)).toBe(true);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: author.token });
  expect(await likes()).toMatchObject([
    { text: '周野 赞了你在《删掉的》下的评论', verb: '赞了你在《删掉的》下的评论', target: null },
    { text: '周野 赞了你的文章《删掉的》', target: null },
    { text: '周野 赞了你在《留下的》下的评论', verb: '赞了你在《》下的评论', target: { title: '留下的' } },
    { verb: '赞了你的文章', target: { url: `/essay/detail/${kept}.html` } },
  ]);
});
