import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatCalls } from '../../../testing/chats.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let secondProcess: TestApp;
let c: ReturnType<typeof chatCalls>;
let author: TestUser;
let reader: TestUser;
let other: TestUser;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  secondProcess = await startTestApp({ sameDatabaseAs: t });
  c = chatCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
});
afterAll(async () => {
  await secondProcess.close();
  await t.close();
});

const status = (id: string, to: number, token: string) =>
  t.call('PUT core/essay/status', { id, status: to }, { token });
const seqs = (list: { seq: number }[]) => list.map(({ seq }) => seq);

test('lets every reader write; lists the room for members, and for its author from the first message', async () => {
  const essayId = await publishEssay(t, author, { title: '谈谈排版' });
  expect((await c.roomMessages(essayId, reader.token)).data).toEqual({
    list: [],
    more: false,
    lastSeq: 0,
    readSeq: 0,
    otherReadSeq: 0,
    removed: [],
    canSend: true,
    why: '',
    mutedUntil: null,
  });
  const { data: first } = await c.sendToRoom(essayId, '大家好', reader.token);
  const { data: response } = await c.sendToRoom(essayId, '你也好', other.token, { replyToId: first.id });
  expect(response).toMatchObject({ seq: 2, replyTo: { seq: 1, name: '周野', excerpt: '大家好' } });
  const [notice] = await commentCalls(t).notices(reader.token);
  expect(notice).toMatchObject({
    kind: 'message',
    verb: '在《》的群聊中回复了你',
    excerpt: '你也好',
    target: { title: '谈谈排版', url: `/essay/detail/${essayId}.html#chat` },
  });
  const trends = async ({ user, token }: TestUser) =>
    (await t.call('GET core/user/trend', { userId: user.id }, { token })).data.list.map(({ type }) => type);
  expect(await trends(reader)).toContain(17);
  expect(await trends(other)).toContain(18);
  expect(
    (await t.call('GET core/user/trend', { userId: other.user.id })).data.list.map(({ type }) => type),
  ).not.toContain(18);
  for (const { token } of [author, reader])
    expect((await c.rooms(token)).data.list[0]).toMatchObject({
      user: null,
      essay: { id: essayId, title: '谈谈排版' },
      lastSeq: 2,
      last: { content: '你也好' },
    });
  expect((await c.unreadCounts(author.token)).rooms).toBe(1);
  expect((await c.unreadCounts(other.token)).rooms).toBe(0);
  // A user becomes a member by reading.
  const lurker = await t.register();
  await c.roomMessages(essayId, lurker.token);
  expect((await c.rooms(lurker.token)).data.total).toBe(0);
  await c.readRoom(essayId, 1, lurker.token);
  expect((await c.rooms(lurker.token)).data.list[0]).toMatchObject({ readSeq: 1, unread: 1 });
  expect((await c.rooms(lurker.token, { keyword: '排版' })).data.total).toBe(1);
  expect((await c.rooms(lurker.token, { keyword: '别的' })).data.total).toBe(0);
  await c.readRoom(essayId, 2, reader.token);
  expect((await commentCalls(t).notices(reader.token))[0]?.read).toBe(true);
  // A user who left becomes a member again by writing, not by reading.
  await c.leave(essayId, lurker.token);
  await c.readRoom(essayId, 2, lurker.token);
  expect((await c.rooms(lurker.token)).data.total).toBe(0);
  await c.sendToRoom(essayId, '我又来了', lurker.token);
  expect((await c.rooms(lurker.token)).data.total).toBe(1);
});

test('stores fifty concurrent messages from two processes with retries once each and without gaps', async () => {
  const essayId = await publishEssay(t, author);
  const people = await Promise.all(Array.from({ length: 10 }, () => t.register()));
  const two = chatCalls(secondProcess);
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const { token } = people[at % 10] as TestUser;
      const clientId = `client-of-${at}`;
      const say = (via: typeof c) => via.sendToRoom(essayId, `第 ${at} 句`, token, { clientId });
      return Promise.all([say(c), say(two)]);
    }),
  );
  for (const [one, again] of sent) expect(one.data).toEqual(again.data);
  const { list, lastSeq } = (await c.roomMessages(essayId, author.token, { after: 0, limit: 100 })).data;
  expect(lastSeq).toBe(50);
  expect(seqs(list)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect(new Set(list.map(({ content }) => content)).size).toBe(50);
  expect((await two.roomMessages(essayId, reader.token, { after: 0, limit: 100 })).data.list).toEqual(list);
});

test('refuses visitors, readers without access, blocked users and essays off the shelf', async () => {
  const essayId = await publishEssay(t, author, { price: 500 });
  const { data: sent } = await c.sendToRoom(essayId, '只有买了的人听得到', author.token);
  const tries = (token?: string) =>
    Promise.all([
      c.roomMessages(essayId, token),
      c.sendToRoom(essayId, '让我进来', token),
      c.readRoom(essayId, 1, token),
      c.leave(essayId, token),
    ]).then((all) => all.map(({ errorCode }) => errorCode));
  expect(await tries()).toEqual(Array(4).fill('SIGN_IN_REQUIRED'));
  expect(await tries(reader.token)).toEqual(Array(4).fill('CHAT_LOCKED'));
  expect((await c.remove(sent.id, reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.search('听得到', reader.token, { essayId })).data.total).toBe(0);
  await rechargeBalance(t, reader, 1000);
  const order = await createOrder(t, reader, { kind: 'read', targetId: essayId, payBy: 'balance' });
  const { data: bought } = await c.sendToRoom(essayId, '我买了', reader.token);
  expect(bought.seq).toBe(2);
  expect((await c.search('听得到', reader.token)).data.total).toBe(1);
  const paid = async (token: string) =>
    (await c.rooms(token)).data.list.some(({ essay }) => essay?.id === essayId);
  expect(await paid(reader.token)).toBe(true);
  const before = await c.unreadCounts(reader.token);
  await c.sendToRoom(essayId, '欢迎', author.token);
  expect((await c.unreadCounts(reader.token)).rooms).toBe(before.rooms + 1);
  await t.call(
    'PUT core/sys/order/refund',
    { id: order.id, reason: '不想要了' },
    { token: await t.signInAdmin() },
  );
  expect(await tries(reader.token)).toEqual(Array(4).fill('CHAT_LOCKED'));
  expect(await paid(reader.token)).toBe(false);
  expect((await c.search('听得到', reader.token)).data.total).toBe(0);
  expect((await c.unreadCounts(reader.token)).rooms).toBe(before.rooms);
  // The excerpt in a notice is part of the room too.
  await c.sendToRoom(essayId, '锁住的回答', author.token, { replyToId: bought.id });
  expect(JSON.stringify(await commentCalls(t).notices(reader.token))).not.toContain('锁住的回答');
  // Staff who audit essays may read.
  const auditor = await createStaff(t, ['essay:audit']);
  expect((await c.roomMessages(essayId, auditor.token)).data.lastSeq).toBe(4);
  // Paying members may read essays that are free for members.
  const members = await publishEssay(t, author, { memberFree: true });
  expect((await c.sendToRoom(members, '会员来了', other.token)).errorCode).toBe('CHAT_LOCKED');
  await t.app.services.pool.query(`update users set member_until = now() + interval '1 day' where id = $1`, [
    other.user.id,
  ]);
  expect((await c.sendToRoom(members, '会员来了', other.token)).success).toBe(true);
  // Blocked users are refused in free essays too.
  const free = await publishEssay(t, author);
  const third = await t.register();
  await c.sendToRoom(free, '我来过', third.token);
  await commentCalls(t).block(third.user.id, author.token);
  expect((await c.roomMessages(free, third.token)).errorCode).toBe('BLOCKED');
  expect((await c.sendToRoom(free, '再说', third.token)).errorCode).toBe('BLOCKED');
  expect((await c.rooms(third.token)).data.total).toBe(0);
  // The room of an essay off the shelf is closed for everybody.
  await status(free, 4, author.token);
  expect((await c.roomMessages(free, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.roomMessages(free, author.token)).errorCode).toBe('CHAT_LOCKED');
  expect((await c.roomMessages('f'.repeat(32), other.token)).errorCode).toBe('NOT_FOUND');
  await t.call('DELETE core/essay/{id}', { id: free }, { token: author.token });
  expect((await c.roomMessages(free, author.token)).errorCode).toBe('GONE');
});

test('lets the author mute and remove, staff remove, and senders recall for a while', async () => {
  const essayId = await publishEssay(t, author);
  const { data: bad } = await c.sendToRoom(essayId, '广告广告', reader.token);
  const { data: reply } = await c.sendToRoom(essayId, '别发广告', other.token, { replyToId: bad.id });
  expect((await c.remove(bad.id, other.token)).errorCode).toBe('FORBIDDEN');
  expect((await c.remove(bad.id, author.token)).success).toBe(true);
  const { list, removed } = (await c.roomMessages(essayId, other.token)).data;
  expect(removed).toEqual([1]);
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '' },
    { seq: 2, content: '别发广告', replyTo: { seq: 1, excerpt: '' } },
  ]);
  const { data: elsewhere } = await c.sendToRoom(await publishEssay(t, author), '别处的话', author.token);
  for (const replyToId of [bad.id, elsewhere.id, 'f'.repeat(32)]) {
    const refused = await c.sendToRoom(essayId, '回谁呢', other.token, { replyToId });
    expect([refused.status, refused.fields]).toEqual([422, { replyToId: '要回复的消息已经不在了' }]);
  }
  const staff = await createStaff(t, ['comment:update']);
  expect((await c.remove(reply.id, staff.token)).success).toBe(true);
  const { rows } = await t.app.services.pool.query(
    `select user_id, summary from operations where target = $1`,
    [`chat:${reply.id}`],
  );
  expect(rows).toEqual([{ user_id: staff.user.id, summary: '移除群聊消息' }]);
  expect(await commentCalls(t).notices(reader.token)).not.toContainEqual(
    expect.objectContaining({ excerpt: '别发广告' }),
  );
  for (const { token } of [reader, staff]) {
    expect((await c.mute(essayId, other.user.id, 5, token)).errorCode).toBe('FORBIDDEN');
    expect((await c.listMuted(essayId, token)).errorCode).toBe('FORBIDDEN');
  }
  expect((await c.mute(essayId, author.user.id, 5, author.token)).errorCode).toBe('MESSAGE_SELF');
  expect((await c.mute(essayId, reader.user.id, 10, author.token)).data.mutedUntil).not.toBeNull();
  expect(await c.sendToRoom(essayId, '我还要说', reader.token)).toMatchObject({
    errorCode: 'CHAT_MUTED',
    errorMessage: expect.stringMatching(/^你在这个群聊里被禁言了，\d+月\d+日 ?\d\d:\d\d 以后可以发言$/),
  });
  expect((await c.roomMessages(essayId, reader.token)).data).toMatchObject({ canSend: false, lastSeq: 2 });
  expect((await c.listMuted(essayId, author.token)).data.list).toMatchObject([{ id: reader.user.id }]);
  await c.mute(essayId, reader.user.id, 0, author.token);
  expect((await c.listMuted(essayId, author.token)).data.list).toEqual([]);
  const { data: own } = await c.sendToRoom(essayId, '好的', reader.token);
  expect((await c.remove(own.id, reader.token)).success).toBe(true);
  const { data: late } = await c.sendToRoom(essayId, '晚了', reader.token);
  await c.mute(essayId, reader.user.id, 1, author.token);
  t.advance(125_000);
  expect((await c.remove(late.id, reader.token)).errorCode).toBe('RECALL_TOO_LATE');
  expect((await c.sendToRoom(essayId, '又能说了', reader.token)).success).toBe(true);
});

test('creates no notice for a message that was removed before', async () => {
  const essayId = await publishEssay(t, author);
  const { data: first } = await c.sendToRoom(essayId, '谁来回答', reader.token);
  const someone = await t.register();
  const late = await t.app.services.pool.connect();
  await late.query('begin');
  // The transaction that creates the notice waits for this lock.
  await late.query('lock table trends in exclusive mode');
  const sending = c.sendToRoom(essayId, '骂人的话', someone.token, { replyToId: first.id });
  await expect.poll(async () => (await c.roomMessages(essayId, author.token)).data.lastSeq).toBe(2);
  const [, bad] = (await c.roomMessages(essayId, author.token)).data.list;
  expect((await c.remove(bad?.id ?? '', author.token)).success).toBe(true);
  await late.query('commit');
  late.release();
  await sending;
  expect(await commentCalls(t).notices(reader.token)).not.toContainEqual(
    expect.objectContaining({ excerpt: '骂人的话' }),
  );
});

test('refuses a message that is being rendered when its sender is muted', async () => {
  const essayId = await publishEssay(t, author);
  const lockClient = await t.app.services.pool.connect();
  await lockClient.query('begin');
  await lockClient.query('lock table word_lists in access exclusive mode');
  const sending = c.sendToRoom(essayId, '还有一句', reader.token);
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%word_lists%'`;
  await expect.poll(async () => (await t.app.services.pool.query(waiting)).rowCount).toBe(1);
  await c.mute(essayId, reader.user.id, 1, author.token);
  await lockClient.query('commit');
  lockClient.release();
  expect((await sending).errorCode).toBe('CHAT_MUTED');
});

test('shows messages of blocked users as tombstones without gaps in the numbers', async () => {
  const essayId = await publishEssay(t, author);
  const loud = await t.register(undefined, { displayName: '话多' });
  const quiet = await t.register();
  await c.sendToRoom(essayId, '吵闹的话', loud.token);
  await c.sendToRoom(essayId, '安静的话', quiet.token);
  await commentCalls(t).block(loud.user.id, quiet.token);
  const { list, removed } = (await c.roomMessages(essayId, quiet.token)).data;
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '', html: '' },
    { seq: 2, content: '安静的话', removed: false },
  ]);
  expect(removed).toEqual([]);
  expect((await c.search('话', quiet.token)).data.list.map(({ message }) => message.content)).toEqual([
    '安静的话',
  ]);
  expect((await c.search('话', loud.token, { essayId })).data.total).toBe(2);
  // Quotes above replies are hidden too.
  const third = await t.register();
  const [loudest] = (await c.roomMessages(essayId, third.token)).data.list;
  await c.sendToRoom(essayId, '别吵', third.token, { replyToId: loudest?.id ?? '' });
  expect((await c.search('别吵', quiet.token)).data.list[0]?.message.replyTo?.excerpt).toBe('');
});

test('refuses words of level hold in a room', async () => {
  const essayId = await publishEssay(t, author);
  await commentCalls(t).addSensitiveWord('先看看再说', 'hold');
  await commentCalls(t).addSensitiveWord('盖住它', 'mask');
  expect((await c.sendToRoom(essayId, '先看看再说', reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect((await c.sendToRoom(essayId, '请盖住它', reader.token)).data.content).toBe('请＊＊＊');
});
