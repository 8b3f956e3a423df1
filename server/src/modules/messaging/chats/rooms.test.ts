import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatting } from '../../../testing/chats.ts';
import { talk } from '../../../testing/comments.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { fund, makeOrder } from '../../../testing/orders.ts';
import { makeStaff } from '../../../testing/staff.ts';

let t: TestApp;
let beside: TestApp;
let c: ReturnType<typeof chatting>;
let author: Writer;
let reader: Writer;
let other: Writer;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  beside = await startTestApp({ beside: t });
  c = chatting(t);
  author = await makeWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
});
afterAll(async () => {
  await beside.close();
  await t.close();
});

const status = (id: string, to: number, token: string) =>
  t.call('PUT core/essay/status', { id, status: to }, { token });
const seqs = (list: { seq: number }[]) => list.map(({ seq }) => seq);

test('whoever may read talks; members see the room, its author from the first word', async () => {
  const essayId = await publishEssay(t, author, { title: '谈谈排版' });
  expect((await c.room(essayId, reader.token)).data).toEqual({
    list: [],
    more: false,
    lastSeq: 0,
    readSeq: 0,
    otherReadSeq: 0,
    removed: [],
    canSend: true,
    why: '',
  });
  const { data: first } = await c.say(essayId, '大家好', reader.token);
  const { data: answer } = await c.say(essayId, '你也好', other.token, { replyToId: first.id });
  expect(answer).toMatchObject({ seq: 2, replyTo: { seq: 1, name: '周野', excerpt: '大家好' } });
  const [notice] = await talk(t).notices(reader.token);
  expect(notice).toMatchObject({
    kind: 'message',
    verb: '在《》的群聊中回复了你',
    excerpt: '你也好',
    target: { title: '谈谈排版', url: `/essay/detail/${essayId}.html#chat` },
  });
  const trends = async ({ user, token }: Writer) =>
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
  expect((await c.counts(author.token)).rooms).toBe(1);
  expect((await c.counts(other.token)).rooms).toBe(0);
  // Who only reads takes part from then on.
  const silent = await t.register();
  await c.room(essayId, silent.token);
  expect((await c.rooms(silent.token)).data.total).toBe(0);
  await c.readRoom(essayId, 1, silent.token);
  expect((await c.rooms(silent.token)).data.list[0]).toMatchObject({ readSeq: 1, unread: 1 });
  expect((await c.rooms(silent.token, { keyword: '排版' })).data.total).toBe(1);
  expect((await c.rooms(silent.token, { keyword: '别的' })).data.total).toBe(0);
  await c.readRoom(essayId, 2, reader.token);
  expect((await talk(t).notices(reader.token))[0]?.read).toBe(true);
  // Whoever leaves comes back by speaking, not by reading.
  await c.leave(essayId, silent.token);
  await c.readRoom(essayId, 2, silent.token);
  expect((await c.rooms(silent.token)).data.total).toBe(0);
  await c.say(essayId, '我又来了', silent.token);
  expect((await c.rooms(silent.token)).data.total).toBe(1);
});

test('fifty people at once, in two processes and with retries: numbers without a gap, each message once', async () => {
  const essayId = await publishEssay(t, author);
  const people = await Promise.all(Array.from({ length: 10 }, () => t.register()));
  const two = chatting(beside);
  const said = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const { token } = people[at % 10] as Writer;
      const clientId = `client-of-${at}`;
      const say = (via: typeof c) => via.say(essayId, `第 ${at} 句`, token, { clientId });
      return Promise.all([say(c), say(two)]);
    }),
  );
  for (const [one, again] of said) expect(one.data).toEqual(again.data);
  const { list, lastSeq } = (await c.room(essayId, author.token, { after: 0, limit: 100 })).data;
  expect(lastSeq).toBe(50);
  expect(seqs(list)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect(new Set(list.map(({ content }) => content)).size).toBe(50);
  expect((await two.room(essayId, reader.token, { after: 0, limit: 100 })).data.list).toEqual(list);
});

test('what keeps people out: no account, no right to read, a block, a closed shelf', async () => {
  const essayId = await publishEssay(t, author, { price: 500 });
  const { data: said } = await c.say(essayId, '只有买了的人听得到', author.token);
  const tries = (token?: string) =>
    Promise.all([
      c.room(essayId, token),
      c.say(essayId, '让我进来', token),
      c.readRoom(essayId, 1, token),
      c.leave(essayId, token),
    ]).then((all) => all.map(({ errorCode }) => errorCode));
  expect(await tries()).toEqual(Array(4).fill('SIGN_IN_REQUIRED'));
  expect(await tries(reader.token)).toEqual(Array(4).fill('CHAT_LOCKED'));
  expect((await c.remove(said.id, reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.search('听得到', reader.token, { essayId })).data.total).toBe(0);
  await fund(t, reader, 1000);
  const order = await makeOrder(t, reader, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect((await c.say(essayId, '我买了', reader.token)).data.seq).toBe(2);
  expect((await c.search('听得到', reader.token)).data.total).toBe(1);
  const paid = async (token: string) =>
    (await c.rooms(token)).data.list.some(({ essay }) => essay?.id === essayId);
  expect(await paid(reader.token)).toBe(true);
  const before = await c.counts(reader.token);
  await c.say(essayId, '欢迎', author.token);
  expect((await c.counts(reader.token)).rooms).toBe(before.rooms + 1);
  await t.call(
    'PUT core/sys/order/refund',
    { id: order.id, reason: '不想要了' },
    { token: await t.signInAdmin() },
  );
  expect(await tries(reader.token)).toEqual(Array(4).fill('CHAT_LOCKED'));
  expect(await paid(reader.token)).toBe(false);
  expect((await c.search('听得到', reader.token)).data.total).toBe(0);
  expect((await c.counts(reader.token)).rooms).toBe(before.rooms);
  // Staff who audit may look in.
  const auditor = await makeStaff(t, ['essay:audit']);
  expect((await c.room(essayId, auditor.token)).data.lastSeq).toBe(3);
  // Members, where the essay is theirs too.
  const members = await publishEssay(t, author, { memberFree: true });
  expect((await c.say(members, '会员来了', other.token)).errorCode).toBe('CHAT_LOCKED');
  await t.app.services.pool.query(`update users set member_until = now() + interval '1 day' where id = $1`, [
    other.user.id,
  ]);
  expect((await c.say(members, '会员来了', other.token)).success).toBe(true);
  // Whom the author has blocked, also from what is free.
  const free = await publishEssay(t, author);
  const third = await t.register();
  await c.say(free, '我来过', third.token);
  await talk(t).block(third.user.id, author.token);
  expect((await c.room(free, third.token)).errorCode).toBe('BLOCKED');
  expect((await c.say(free, '再说', third.token)).errorCode).toBe('BLOCKED');
  expect((await c.rooms(third.token)).data.total).toBe(0);
  // Off the shelf it is closed for everybody.
  await status(free, 4, author.token);
  expect((await c.room(free, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.room(free, author.token)).errorCode).toBe('CHAT_LOCKED');
  expect((await c.room('f'.repeat(32), other.token)).errorCode).toBe('NOT_FOUND');
  await t.call('DELETE core/essay/{id}', { id: free }, { token: author.token });
  expect((await c.room(free, author.token)).errorCode).toBe('GONE');
});

test('the author mutes and removes, staff remove, everyone else takes back their own for a while', async () => {
  const essayId = await publishEssay(t, author);
  const { data: bad } = await c.say(essayId, '广告广告', reader.token);
  const { data: reply } = await c.say(essayId, '别发广告', other.token, { replyToId: bad.id });
  expect((await c.remove(bad.id, other.token)).errorCode).toBe('FORBIDDEN');
  expect((await c.remove(bad.id, author.token)).success).toBe(true);
  const { list, removed } = (await c.room(essayId, other.token)).data;
  expect(removed).toEqual([1]);
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '' },
    { seq: 2, content: '别发广告', replyTo: { seq: 1, excerpt: '' } },
  ]);
  expect((await c.say(essayId, '回谁呢', other.token, { replyToId: bad.id })).status).toBe(422);
  expect((await c.say(essayId, '回谁呢', other.token, { replyToId: 'f'.repeat(32) })).status).toBe(422);
  const staff = await makeStaff(t, ['comment:update']);
  expect((await c.remove(reply.id, staff.token)).success).toBe(true);
  const { rows } = await t.app.services.pool.query(
    `select user_id, summary from operations where target = $1`,
    [`chat:${reply.id}`],
  );
  expect(rows).toEqual([{ user_id: staff.user.id, summary: '移除群聊消息' }]);
  expect(await talk(t).notices(reader.token)).not.toContainEqual(
    expect.objectContaining({ excerpt: '别发广告' }),
  );
  for (const { token } of [reader, staff]) {
    expect((await c.mute(essayId, other.user.id, 5, token)).errorCode).toBe('FORBIDDEN');
    expect((await c.muted(essayId, token)).errorCode).toBe('FORBIDDEN');
  }
  expect((await c.mute(essayId, author.user.id, 5, author.token)).errorCode).toBe('MESSAGE_SELF');
  expect((await c.mute(essayId, reader.user.id, 10, author.token)).data.mutedUntil).not.toBeNull();
  expect(await c.say(essayId, '我还要说', reader.token)).toMatchObject({
    errorCode: 'CHAT_MUTED',
    errorMessage: expect.stringMatching(/^你在这个群聊里被禁言了，\d+月\d+日 ?\d\d:\d\d后可以发言$/),
  });
  expect((await c.room(essayId, reader.token)).data).toMatchObject({ canSend: false, lastSeq: 2 });
  expect((await c.muted(essayId, author.token)).data.list).toMatchObject([{ id: reader.user.id }]);
  await c.mute(essayId, reader.user.id, 0, author.token);
  expect((await c.muted(essayId, author.token)).data.list).toEqual([]);
  const { data: own } = await c.say(essayId, '好的', reader.token);
  expect((await c.remove(own.id, reader.token)).success).toBe(true);
  const { data: late } = await c.say(essayId, '晚了', reader.token);
  await c.mute(essayId, reader.user.id, 1, author.token);
  t.advance(125_000);
  expect((await c.remove(late.id, reader.token)).errorCode).toBe('RECALL_TOO_LATE');
  expect((await c.say(essayId, '又能说了', reader.token)).success).toBe(true);
});

test('nobody is told what was removed before they could be', async () => {
  const essayId = await publishEssay(t, author);
  const { data: first } = await c.say(essayId, '谁来回答', reader.token);
  const someone = await t.register();
  const late = await t.app.services.pool.connect();
  await late.query('begin');
  // What tells of it waits here.
  await late.query('lock table trends in exclusive mode');
  const saying = c.say(essayId, '骂人的话', someone.token, { replyToId: first.id });
  await expect.poll(async () => (await c.room(essayId, author.token)).data.lastSeq).toBe(2);
  const [, bad] = (await c.room(essayId, author.token)).data.list;
  expect((await c.remove(bad?.id ?? '', author.token)).success).toBe(true);
  await late.query('commit');
  late.release();
  await saying;
  expect(await talk(t).notices(reader.token)).not.toContainEqual(
    expect.objectContaining({ excerpt: '骂人的话' }),
  );
});

test('whoever is muted is silent at once, also with what is being laid out', async () => {
  const essayId = await publishEssay(t, author);
  const held = await t.app.services.pool.connect();
  await held.query('begin');
  await held.query('lock table word_lists in access exclusive mode');
  const saying = c.say(essayId, '还有一句', reader.token);
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%word_lists%'`;
  await expect.poll(async () => (await t.app.services.pool.query(waiting)).rowCount).toBe(1);
  await c.mute(essayId, reader.user.id, 1, author.token);
  await held.query('commit');
  held.release();
  expect((await saying).errorCode).toBe('CHAT_MUTED');
});

test('whom one has blocked one does not read, and no number is missing', async () => {
  const essayId = await publishEssay(t, author);
  const loud = await t.register(undefined, { displayName: '话多' });
  const quiet = await t.register();
  await c.say(essayId, '吵闹的话', loud.token);
  await c.say(essayId, '安静的话', quiet.token);
  await talk(t).block(loud.user.id, quiet.token);
  const { list, removed } = (await c.room(essayId, quiet.token)).data;
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '', html: '' },
    { seq: 2, content: '安静的话', removed: false },
  ]);
  expect(removed).toEqual([]);
  expect((await c.search('话', quiet.token)).data.list.map(({ message }) => message.content)).toEqual([
    '安静的话',
  ]);
  expect((await c.search('话', loud.token, { essayId })).data.total).toBe(2);
  // Nor as what somebody else answered.
  const third = await t.register();
  const [loudest] = (await c.room(essayId, third.token)).data.list;
  await c.say(essayId, '别吵', third.token, { replyToId: loudest?.id ?? '' });
  expect((await c.search('别吵', quiet.token)).data.list[0]?.message.replyTo?.excerpt).toBe('');
});

test('in a room what would be held is refused', async () => {
  const essayId = await publishEssay(t, author);
  await talk(t).addWord('先看看再说', 'hold');
  await talk(t).addWord('盖住它', 'mask');
  expect((await c.say(essayId, '先看看再说', reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect((await c.say(essayId, '请盖住它', reader.token)).data.content).toBe('请＊＊＊');
});
