import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { chatCalls } from '../testing/chats.ts';
import { createWriter, publishEssay, type TestUser } from '../testing/essays.ts';
import { reviseEssay } from '../testing/highlights.ts';
import { openSocket } from '../testing/live.ts';
import { createOrder, rechargeBalance } from '../testing/orders.ts';
import { createRole, createStaff } from '../testing/staff.ts';
import { AFTER_LISTEN } from './adapter.ts';

let one: TestApp;
let two: TestApp;
let author: TestUser;
beforeAll(async () => {
  one = await startTestApp({ config: { paySandbox: true } });
  two = await startTestApp({ sameDatabaseAs: one, config: { paySandbox: true } });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  author = await createWriter(one);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

async function connect(t: TestApp, token: string) {
  const socket = openSocket(t, token);
  const received: string[] = [];
  const lost: string[] = [];
  socket.on('chat', ({ message }) => received.push(message.content));
  socket.on('roomLost', ({ essayId }) => lost.push(essayId));
  await expect.poll(() => socket.connected).toBe(true);
  return { socket, received, lost, join: (...essayIds: string[]) => socket.emitWithAck('join', essayIds) };
}

/** Joins the room in both processes, with the author as a witness who stays. */
async function listen(essayId: string, { token }: TestUser) {
  const pages = [await connect(one, token), await connect(two, token)];
  for (const { join } of pages)
    expect(await join(essayId)).toEqual([{ essayId, online: expect.any(Number) }]);
  const witness = await connect(two, author.token);
  await witness.join(essayId);
  return { pages, witness };
}

/** Both pages are removed from the room and receive no later messages. */
async function expectRemoved(essayId: string, { pages, witness }: Awaited<ReturnType<typeof listen>>) {
  for (const { lost } of pages) await expect.poll(() => lost).toEqual([essayId]);
  await chatCalls(one).sendToRoom(essayId, '门关上以后', author.token);
  await expect.poll(() => witness.received).toContain('门关上以后');
  for (const { received } of pages) expect(received).not.toContain('门关上以后');
}

test('delivers room messages of any length to listeners in all processes', async () => {
  const essayId = await publishEssay(one, author);
  const [here, there, outside] = await Promise.all(
    [one, two, two].map(async (t) => connect(t, (await one.register()).token)),
  );
  expect(await here?.join(essayId)).toEqual([{ essayId, online: 1 }]);
  expect(await there?.join(essayId, essayId)).toEqual([{ essayId, online: 2 }]);
  const long = '长'.repeat(2000);
  for (const [via, text] of [
    [one, '一'],
    [two, long],
  ] as const)
    await chatCalls(via).sendToRoom(essayId, text, author.token);
  for (const page of [here, there]) await expect.poll(() => page?.received.toSorted()).toEqual(['一', long]);
  expect(outside?.received).toEqual([]);
  there?.socket.emit('leave', [essayId]);
  await expect.poll(async () => (await here?.join(essayId))?.[0]?.online).toBe(1);
  await chatCalls(one).sendToRoom(essayId, '还在吗', author.token);
  await expect.poll(() => here?.received).toContain('还在吗');
  expect(there?.received).not.toContain('还在吗');
});

test('joins only readable rooms, and disconnects on invalid or too many messages', async () => {
  const stranger = await one.register();
  const open = await publishEssay(one, author);
  const paid = await publishEssay(one, author, { price: 500 });
  const page = await connect(one, stranger.token);
  expect(await page.join(paid, open, 'f'.repeat(32))).toEqual([{ essayId: open, online: 1 }]);
  await chatCalls(one).sendToRoom(paid, '付了钱才听得到', author.token);
  await chatCalls(one).sendToRoom(open, '都听得到', author.token);
  await expect.poll(() => page.received).toEqual(['都听得到']);
  const wrong = await connect(one, stranger.token);
  wrong.socket.emit('join', 'not a list' as never, () => {});
  await expect.poll(() => wrong.socket.connected).toBe(false);
  for (let at = 0; at < 200; at++) page.socket.emit('leave', []);
  await expect.poll(() => page.socket.connected).toBe(false);
});

test('a refund removes the buyer from the room at once, in every process', async () => {
  const essayId = await publishEssay(one, author, { price: 500 });
  const buyer = await one.register();
  await rechargeBalance(one, buyer, 1000);
  const { id } = await createOrder(one, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  const listening = await listen(essayId, buyer);
  const token = await one.signInAdmin();
  await one.call('PUT core/sys/order/refund', { id, reason: '不想要了' }, { token });
  await expectRemoved(essayId, listening);
  expect(await listening.pages[0]?.join(essayId)).toEqual([]);
});

test('a block by the author and the end of a membership remove the listener', async () => {
  const [blocked, member] = [await one.register(), await one.register()];
  const open = await publishEssay(one, author);
  const forMembers = await publishEssay(one, author, { memberFree: true });
  const { pool, live } = one.app.services;
  const setMembershipEnd = (time: string) =>
    pool.query('update users set member_until = now() + $2::interval where id = $1', [member.user.id, time]);
  await setMembershipEnd('1 day');
  const listening = await listen(forMembers, member);
  const other = await listen(open, blocked);
  await two.call('POST core/user/block', { userId: blocked.user.id }, { token: author.token });
  await expectRemoved(open, other);
  await setMembershipEnd('1 second');
  live.recheckAccess({ userId: member.user.id });
  await expectRemoved(forMembers, listening);
});

test('losing a staff permission removes the listener', async () => {
  const essayId = await publishEssay(one, author, { price: 500 });
  const auditor = await createStaff(one, ['essay:audit']);
  const other = await createRole(one, []);
  const listening = await listen(essayId, auditor);
  const token = await one.signInAdmin();
  const response = await two.call(
    'PUT core/sys/account/',
    { id: auditor.user.id, roleIds: [other] },
    { token },
  );
  expect(response.success).toBe(true);
  await expectRemoved(essayId, listening);
});

test('a revision that makes an essay paid removes listeners who may not read it', async () => {
  const essayId = await publishEssay(one, author);
  const listening = await listen(essayId, await one.register());
  await reviseEssay(one, author, essayId, { price: 500 });
  await expectRemoved(essayId, listening);
});

test('taking an essay off the shelf removes all listeners including the author', async () => {
  const essayId = await publishEssay(one, author);
  const reader = await one.register();
  const { pages, witness } = await listen(essayId, reader);
  await two.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: author.token });
  for (const { lost } of [...pages, witness]) await expect.poll(() => lost).toEqual([essayId]);
  expect(await witness.join(essayId)).toEqual([]);
});

test('disconnects clients when events from other processes may have been missed', async () => {
  const third = await startTestApp({ sameDatabaseAs: one, config: { redisUrl: undefined } });
  await third.app.server.listen({ port: 0, host: '127.0.0.1' });
  const page = await connect(third, (await one.register()).token);
  await one.app.services.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = $1',
    [AFTER_LISTEN],
  );
  await expect.poll(() => page.socket.connected).toBe(false);
  await third.close();
});
