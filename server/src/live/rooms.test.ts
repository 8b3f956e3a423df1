import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { chatting } from '../testing/chats.ts';
import { makeWriter, publishEssay, type Writer } from '../testing/essays.ts';
import { openSocket } from '../testing/live.ts';
import { fund, makeOrder } from '../testing/orders.ts';
import { makeRole, makeStaff } from '../testing/staff.ts';

let one: TestApp;
let two: TestApp;
let author: Writer;
beforeAll(async () => {
  one = await startTestApp({ config: { paySandbox: true } });
  two = await startTestApp({ beside: one, config: { paySandbox: true } });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  author = await makeWriter(one);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

async function connect(t: TestApp, token: string) {
  const socket = openSocket(t, token);
  const heard: string[] = [];
  const lost: string[] = [];
  socket.on('chat', ({ message }) => heard.push(message.content));
  socket.on('roomLost', ({ essayId }) => lost.push(essayId));
  await expect.poll(() => socket.connected).toBe(true);
  return { socket, heard, lost, join: (...essayIds: string[]) => socket.emitWithAck('join', essayIds) };
}

/** Listens in both processes; what the author says reaches one who stays. */
async function listen(essayId: string, { token }: Writer) {
  const pages = [await connect(one, token), await connect(two, token)];
  for (const { join } of pages)
    expect(await join(essayId)).toEqual([{ essayId, online: expect.any(Number) }]);
  const witness = await connect(two, author.token);
  await witness.join(essayId);
  return { pages, witness };
}

/** Both pages are put out, and hear nothing of what is said afterwards. */
async function expectOut(essayId: string, { pages, witness }: Awaited<ReturnType<typeof listen>>) {
  for (const { lost } of pages) await expect.poll(() => lost, { timeout: 10_000 }).toEqual([essayId]);
  await chatting(one).say(essayId, '门关上以后', author.token);
  await expect.poll(() => witness.heard).toContain('门关上以后');
  for (const { heard } of pages) expect(heard).not.toContain('门关上以后');
}

test('what is said in a room reaches whoever listens, in whichever process, however long it is', async () => {
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
    await chatting(via).say(essayId, text, author.token);
  for (const page of [here, there]) await expect.poll(() => page?.heard.toSorted()).toEqual(['一', long]);
  expect(outside?.heard).toEqual([]);
  there?.socket.emit('leave', [essayId]);
  await expect.poll(async () => (await here?.join(essayId))?.[0]?.online).toBe(1);
  await chatting(one).say(essayId, '还在吗', author.token);
  await expect.poll(() => here?.heard).toContain('还在吗');
  expect(there?.heard).not.toContain('还在吗');
});

test('nobody listens where they may not read; nonsense and floods are cut off', async () => {
  const stranger = await one.register();
  const open = await publishEssay(one, author);
  const paid = await publishEssay(one, author, { price: 500 });
  const page = await connect(one, stranger.token);
  expect(await page.join(paid, open, 'f'.repeat(32))).toEqual([{ essayId: open, online: 1 }]);
  await chatting(one).say(paid, '付了钱才听得到', author.token);
  await chatting(one).say(open, '都听得到', author.token);
  await expect.poll(() => page.heard).toEqual(['都听得到']);
  const wrong = await connect(one, stranger.token);
  wrong.socket.emit('join', 'not a list' as never, () => {});
  await expect.poll(() => wrong.socket.connected).toBe(false);
  for (let at = 0; at < 200; at++) page.socket.emit('leave', []);
  await expect.poll(() => page.socket.connected).toBe(false);
});

test('a refund ends the listening at once, in every process', async () => {
  const essayId = await publishEssay(one, author, { price: 500 });
  const buyer = await one.register();
  await fund(one, buyer, 1000);
  const { id } = await makeOrder(one, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  const listening = await listen(essayId, buyer);
  const token = await one.signInAdmin();
  await one.call('PUT core/sys/order/refund', { id, reason: '不想要了' }, { token });
  await expectOut(essayId, listening);
  expect(await listening.pages[0]?.join(essayId)).toEqual([]);
});

test('so does a block by the author, and the end of a membership', async () => {
  const [blocked, member] = [await one.register(), await one.register()];
  const open = await publishEssay(one, author);
  const forMembers = await publishEssay(one, author, { memberFree: true });
  const { pool, live } = one.app.services;
  const lasts = (time: string) =>
    pool.query('update users set member_until = now() + $2::interval where id = $1', [member.user.id, time]);
  await lasts('1 day');
  const listening = await listen(forMembers, member);
  const other = await listen(open, blocked);
  await two.call('POST core/user/block', { userId: blocked.user.id }, { token: author.token });
  await expectOut(open, other);
  await lasts('1 second');
  live.recheck({ userId: member.user.id });
  await expectOut(forMembers, listening);
});

test('so does the loss of what only staff may', async () => {
  const essayId = await publishEssay(one, author, { price: 500 });
  const auditor = await makeStaff(one, ['essay:audit']);
  const other = await makeRole(one, []);
  const listening = await listen(essayId, auditor);
  const token = await one.signInAdmin();
  const answer = await two.call(
    'PUT core/sys/account/',
    { id: auditor.user.id, roleIds: [other] },
    { token },
  );
  expect(answer.success).toBe(true);
  await expectOut(essayId, listening);
});

test('when an essay leaves the shelf its room is empty, its author included', async () => {
  const essayId = await publishEssay(one, author);
  const reader = await one.register();
  const { pages, witness } = await listen(essayId, reader);
  await two.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: author.token });
  for (const { lost } of [...pages, witness])
    await expect.poll(() => lost, { timeout: 10_000 }).toEqual([essayId]);
  expect(await witness.join(essayId)).toEqual([]);
});

test('pages are made to come back when what others said may have been missed', async () => {
  const third = await startTestApp({ beside: one, config: { redisUrl: undefined } });
  await third.app.server.listen({ port: 0, host: '127.0.0.1' });
  const page = await connect(third, (await one.register()).token);
  await one.app.services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'LISTEN "socket.io%'`,
  );
  await expect.poll(() => page.socket.connected, { timeout: 10_000 }).toBe(false);
  await third.close();
});
