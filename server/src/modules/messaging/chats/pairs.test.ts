import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatCalls } from '../../../testing/chats.ts';
import { commentCalls } from '../../../testing/comments.ts';
import type { TestUser } from '../../../testing/essays.ts';

let t: TestApp;
let c: ReturnType<typeof chatCalls>;
beforeAll(async () => {
  t = await startTestApp();
  c = chatCalls(t);
});
afterAll(() => t.close());

const registerUser = (displayName: string): Promise<TestUser> => t.register(undefined, { displayName });
const follow = (who: TestUser, whom: TestUser) =>
  t.call('POST core/essay/follow', { userId: whom.user.id }, { token: who.token });

/** Creates two users who follow each other, so that no limit applies. */
async function friends(): Promise<[TestUser, TestUser]> {
  const [one, other] = [await registerUser('周野'), await registerUser('苏禾')];
  await follow(one, other);
  await follow(other, one);
  return [one, other];
}
const seqs = (list: { seq: number }[]) => list.map(({ seq }) => seq);
const trends = async ({ user, token }: TestUser) =>
  (await t.call('GET core/user/trend', { userId: user.id }, { token })).data.list
    .filter(({ type }) => type >= 15)
    .map(({ type, target }) => [type, target?.id]);

test('lists, counts and marks messages as read, and creates one notice and trend', async () => {
  const [one, other] = await friends();
  const { data: sent } = await c.send(other.user.id, '在**吗**', one.token);
  expect(sent).toMatchObject({ seq: 1, from: { displayName: '周野' }, kind: 'text', removed: false });
  expect(sent.html).toBe('<p>在<strong>吗</strong></p>');
  await c.send(other.user.id, '想请教一件事', one.token);
  expect(await c.unreadCounts(other.token)).toEqual({ letters: 0, chats: 2, rooms: 0 });
  expect(await c.unreadCounts(one.token)).toEqual({ letters: 0, chats: 0, rooms: 0 });
  const { list, total } = (await c.conversations(other.token)).data;
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({
    user: { id: one.user.id },
    essay: null,
    lastSeq: 2,
    readSeq: 0,
    unread: 2,
  });
  expect(list[0]?.last?.content).toBe('想请教一件事');
  const notices = await commentCalls(t).notices(other.token);
  expect(notices.filter(({ kind }) => kind === 'message')).toMatchObject([
    {
      verb: '给你发来私聊消息',
      excerpt: '在吗',
      target: { url: `/account/center.html?tab=chat&user=${one.user.id}` },
    },
  ]);
  expect((await c.read(one.user.id, 99, other.token)).success).toBe(true);
  await c.read(one.user.id, 1, other.token);
  expect((await c.messagesWith(other.user.id, one.token)).data).toMatchObject({
    readSeq: 2,
    otherReadSeq: 2,
    lastSeq: 2,
    canSend: true,
    why: '',
    more: false,
  });
  expect((await c.unreadCounts(other.token)).chats).toBe(0);
  expect(
    (await commentCalls(t).notices(other.token)).every(({ read, kind }) => read || kind !== 'message'),
  ).toBe(true);
  await c.send(one.user.id, '请说', other.token);
  expect(await trends(one)).toEqual([[15, other.user.id]]);
  expect(await trends(other)).toEqual([[16, one.user.id]]);
  expect((await c.conversations(one.token, { keyword: '苏' })).data.list).toHaveLength(1);
  expect((await c.conversations(one.token, { keyword: '林' })).data).toMatchObject({ list: [], total: 0 });
});

test('pages messages by number in both directions', async () => {
  const [one, other] = await friends();
  for (let at = 1; at <= 12; at++) await c.send(other.user.id, `第 ${at} 句`, one.token);
  const range = async (more: object) => (await c.messagesWith(one.user.id, other.token, more)).data;
  const last = await range({ limit: 5 });
  expect([seqs(last.list), last.more]).toEqual([[8, 9, 10, 11, 12], true]);
  const earlier = await range({ before: 8, limit: 7 });
  expect([seqs(earlier.list), earlier.more]).toEqual([[1, 2, 3, 4, 5, 6, 7], false]);
  const after = await range({ after: 3, limit: 4 });
  expect([seqs(after.list), after.more]).toEqual([[4, 5, 6, 7], true]);
  expect(await range({ after: 12 })).toMatchObject({ list: [], more: false, lastSeq: 12 });
  expect((await range({ before: Number.MAX_SAFE_INTEGER, limit: 1 })).list[0]?.seq).toBe(12);
});

test('lists conversations by cursor, most recent first', async () => {
  const me = await registerUser('我');
  const others = [await registerUser('甲'), await registerUser('乙'), await registerUser('丙')];
  for (const other of others) await c.send(me.user.id, '你好', other.token);
  const names = (list: { user: { displayName: string } | null }[]) =>
    list.map(({ user }) => user?.displayName);
  const first = (await c.conversations(me.token, { pageSize: 2 })).data;
  expect(names(first.list)).toEqual(['丙', '乙']);
  const next = (await c.conversations(me.token, { pageSize: 2, cursor: first.next })).data;
  expect([names(next.list), next.next, next.total]).toEqual([['甲'], null, 3]);
  await c.send(me.user.id, '还在吗', others[0]?.token);
  expect(names((await c.conversations(me.token)).data.list)).toEqual(['甲', '丙', '乙']);
});

test('stores a retry once and rejects a reused client id with other content', async () => {
  const [one, other] = await friends();
  const clientId = 'retry-000001';
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => c.send(other.user.id, '只说一次', one.token, { clientId })),
  );
  expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
  expect((await c.send(other.user.id, '只说一次', one.token, { clientId, requestId: 'r1' })).data.seq).toBe(
    1,
  );
  expect((await c.messagesWith(other.user.id, one.token)).data.lastSeq).toBe(1);
  expect(await c.send(other.user.id, '别的', one.token, { clientId })).toMatchObject({
    status: 409,
    errorCode: 'CLIENT_ID_REUSED',
  });
  // Client ids of different senders do not conflict.
  expect((await c.send(one.user.id, '我也说', other.token, { clientId })).data.seq).toBe(2);
  const stranger = await registerUser('生人');
  for (let at = 0; at < 5; at++) await c.send(other.user.id, '你好', stranger.token, { clientId });
  expect((await c.send(other.user.id, '二', stranger.token)).success).toBe(true);
});

test('limits a stranger to three messages until there is a reply', async () => {
  const [one, other] = [await registerUser('甲'), await registerUser('乙')];
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, at) => c.send(other.user.id, `第 ${at} 句`, one.token)),
  );
  expect(responses.filter(({ success }) => success)).toHaveLength(3);
  expect(responses.filter(({ errorCode }) => errorCode === 'STRANGER_LIMIT')).toHaveLength(5);
  expect((await c.messagesWith(other.user.id, one.token)).data).toMatchObject({ lastSeq: 3, canSend: false });
  expect((await c.messagesWith(other.user.id, one.token)).data.why).toContain('3 条');
  await c.send(one.user.id, '你好', other.token);
  // One reply removes the limit for good, in both directions.
  for (const seq of [5, 6, 7, 8])
    expect((await c.send(other.user.id, '太好了', one.token)).data.seq).toBe(seq);
  expect((await c.messagesWith(other.user.id, one.token)).data).toMatchObject({ canSend: true, why: '' });
  for (const seq of [9, 10, 11, 12])
    expect((await c.send(one.user.id, '是啊', other.token)).data.seq).toBe(seq);
});

test('rejects visitors, the own id, unknown users, blocked users and outsiders', async () => {
  const [one, other] = await friends();
  const third = await registerUser('旁人');
  const { data: sent } = await c.send(other.user.id, '悄悄话', one.token);
  const anonymous = [
    await c.send(other.user.id, '喂'),
    await c.messagesWith(other.user.id),
    await c.conversations(),
    await c.read(other.user.id, 1),
    await c.recall(sent.id),
    await c.search('话'),
  ];
  expect(anonymous.map(({ errorCode }) => errorCode)).toEqual(Array(6).fill('SIGN_IN_REQUIRED'));
  expect((await c.send(one.user.id, '喂', one.token)).errorCode).toBe('MESSAGE_SELF');
  expect((await c.messagesWith(one.user.id, one.token)).errorCode).toBe('MESSAGE_SELF');
  expect((await c.send('f'.repeat(32), '喂', one.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.messagesWith(one.user.id, third.token)).data).toMatchObject({
    list: [],
    lastSeq: 0,
    otherReadSeq: 0,
  });
  expect((await c.recall(sent.id, third.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.remove(sent.id, third.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.recall(sent.id, other.token)).errorCode).toBe('FORBIDDEN');
  expect((await c.search('悄悄', third.token, { userId: one.user.id })).data.total).toBe(0);
  for (const input of [
    { content: ' ' },
    { content: '字'.repeat(2001) },
    { clientId: 'short' },
    { kind: 'video' },
    { kind: 'image', content: '/files/none.webp' },
    { kind: 'essay', content: 'f'.repeat(32) },
    { kind: 'essay', content: '不是编号' },
  ])
    expect((await c.send(other.user.id, '喂', one.token, input)).status, JSON.stringify(input)).toBe(422);
  await commentCalls(t).block(one.user.id, other.token);
  expect((await c.send(other.user.id, '喂', one.token)).errorCode).toBe('BLOCKED');
  expect(await c.send(one.user.id, '喂', other.token)).toMatchObject({
    errorCode: 'BLOCKED',
    errorMessage: '你屏蔽了对方，解除屏蔽后才能发消息',
  });
  expect((await c.messagesWith(other.user.id, one.token)).data).toMatchObject({ lastSeq: 1, canSend: false });
});

test('masks or refuses sensitive words in a pair', async () => {
  const [one, other] = await friends();
  await commentCalls(t).addSensitiveWord('遮起来', 'mask');
  await commentCalls(t).addSensitiveWord('等等看', 'hold');
  await commentCalls(t).addSensitiveWord('不许说', 'refuse');
  expect((await c.send(other.user.id, '这个遮起来吧', one.token)).data.content).toBe('这个＊＊＊吧');
  expect((await c.send(other.user.id, '先等等看', one.token)).data.html).toBe('<p>先＊＊＊</p>');
  expect((await c.send(other.user.id, '不许说', one.token)).errorCode).toBe('WORDS_REFUSED');
  const { data } = await c.messagesWith(one.user.id, other.token);
  expect(data.list.map(({ content }) => content)).toEqual(['这个＊＊＊吧', '先＊＊＊']);
  expect((await c.search('遮起', other.token)).data.total).toBe(0);
});

test('lets the sender recall a message for a while and leaves a tombstone', async () => {
  const [one, other] = await friends();
  const { data: recalled } = await c.send(other.user.id, '说漏嘴了', one.token, { clientId: 'slip-0001' });
  await c.send(other.user.id, '没什么', one.token);
  expect((await c.recall(recalled.id, one.token)).success).toBe(true);
  expect((await c.recall(recalled.id, one.token)).success).toBe(true);
  const { list, removed, lastSeq } = (await c.messagesWith(one.user.id, other.token)).data;
  expect(removed).toEqual([1]);
  expect(lastSeq).toBe(2);
  expect(list[0]).toMatchObject({ seq: 1, removed: true, content: '', html: '', from: { id: one.user.id } });
  expect(await commentCalls(t).notices(other.token)).not.toContainEqual(
    expect.objectContaining({ kind: 'message' }),
  );
  expect((await c.search('漏嘴', one.token)).data.total).toBe(0);
  const { rows } = await t.app.services.pool.query(`select 1 from chat_messages where content like '%漏嘴%'`);
  expect(rows).toEqual([]);
  // A retry does not restore the recalled message.
  expect((await c.send(other.user.id, '说漏嘴了', one.token, { clientId: 'slip-0001' })).data.removed).toBe(
    true,
  );
  const { data: late } = await c.send(other.user.id, '想收回', one.token);
  t.advance(121_000);
  expect((await c.recall(late.id, one.token)).errorCode).toBe('RECALL_TOO_LATE');
});

test('notifies about a new message after a recall', async () => {
  const [one, other] = await friends();
  const { data: recalled } = await c.send(other.user.id, '写错了', one.token);
  await c.recall(recalled.id, one.token);
  await c.send(other.user.id, '写对了', one.token);
  await c.send(other.user.id, '这样就好', one.token);
  const notices = (await commentCalls(t).notices(other.token)).filter(({ kind }) => kind === 'message');
  expect(notices.map(({ excerpt }) => excerpt)).toEqual(['写对了']);
});
