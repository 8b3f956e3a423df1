import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { chatCalls } from '../testing/chats.ts';
import { createWriter, publishEssay, type TestUser } from '../testing/essays.ts';
import { openSocket } from '../testing/live.ts';

let one: TestApp;
let two: TestApp;
let author: TestUser;
beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ sameDatabaseAs: one });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  author = await createWriter(one);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

async function connect(t: TestApp, token: string) {
  const socket = openSocket(t, token);
  const online: number[] = [];
  const received: string[] = [];
  const mutes: (string | null)[] = [];
  const lost: string[] = [];
  socket.on('online', (room) => online.push(room.online));
  socket.on('chat', ({ message }) => received.push(message.content));
  socket.on('muted', ({ mutedUntil }) => mutes.push(mutedUntil));
  socket.on('roomLost', ({ essayId }) => lost.push(essayId));
  await expect.poll(() => socket.connected).toBe(true);
  return {
    socket,
    online,
    received,
    mutes,
    lost,
    join: (...essayIds: string[]) => socket.emitWithAck('join', essayIds),
    watch: (...essayIds: string[]) => socket.emitWithAck('watch', essayIds),
  };
}

test('tells everybody in a room, in all processes, how many users are online', async () => {
  const essayId = await publishEssay(one, author);
  const [reader, friend] = [await one.register(), await one.register()];
  const here = await connect(one, reader.token);
  await here.join(essayId);
  const there = await connect(two, friend.token);
  await there.join(essayId);
  await expect.poll(() => here.online.at(-1)).toBe(2);
  await expect.poll(() => there.online.at(-1)).toBe(2);

  // A second page of the same user, in the other process, is the same user.
  const again = await connect(two, reader.token);
  expect(await again.join(essayId)).toEqual([{ essayId, online: 2 }]);
  there.socket.disconnect();
  await expect.poll(() => here.online.at(-1)).toBe(1);
  expect(Math.max(...here.online)).toBe(2);
});

test('a room in a list gets messages without being online in the room', async () => {
  const essayId = await publishEssay(one, author);
  const paid = await publishEssay(one, author, { price: 500 });
  const [reader, friend] = [await one.register(), await one.register()];
  const list = await connect(two, reader.token);
  expect(await list.watch(essayId, paid, 'f'.repeat(32))).toEqual([essayId]);
  const room = await connect(one, friend.token);
  expect(await room.join(essayId)).toEqual([{ essayId, online: 1 }]);
  // In the room and in the list at once, a page gets each message once.
  await room.watch(essayId);
  await chatCalls(one).sendToRoom(essayId, '新消息', author.token);
  await chatCalls(one).sendToRoom(paid, '付费的', author.token);
  for (const page of [list, room]) await expect.poll(() => page.received).toEqual(['新消息']);
  expect(list.online).toEqual([]);

  // A page that only has the list loses it with the access, too.
  await one.call('POST core/user/block', { userId: reader.user.id }, { token: author.token });
  await expect.poll(() => list.lost).toEqual([essayId]);
  room.socket.emit('unwatch', [essayId]);
  room.socket.emit('leave', [essayId]);
  await expect.poll(async () => (await room.join(essayId))[0]?.online).toBe(1);
  await chatCalls(two).sendToRoom(essayId, '后来的', author.token);
  await expect.poll(() => room.received).toEqual(['新消息', '后来的']);
  expect(list.received).toEqual(['新消息']);
});

test('a list can hold at most fifty rooms', async () => {
  const { token } = await one.register();
  const page = await connect(one, token);
  page.socket.emit('watch', Array.from({ length: 51 }, () => 'f'.repeat(32)) as never, () => {});
  await expect.poll(() => page.socket.connected).toBe(false);
});

test('a mute and its end reach all pages of the user at once', async () => {
  const essayId = await publishEssay(one, author);
  const [reader, other] = [await one.register(), await one.register()];
  const pages = [await connect(one, reader.token), await connect(two, reader.token)];
  const witness = await connect(two, other.token);
  const mute = (minutes: number, { token }: { token: string } = author) =>
    one.call('PUT core/essay/group/chat/mute', { essayId, userId: reader.user.id, minutes }, { token });
  expect((await mute(5, other)).status).toBe(403);
  const { mutedUntil } = (await mute(10)).data;
  for (const page of pages) await expect.poll(() => page.mutes).toEqual([mutedUntil]);
  const log = async () =>
    (await one.call('GET core/essay/group/chat', { essayId }, { token: reader.token })).data;
  expect(await log()).toMatchObject({ canSend: false, mutedUntil });
  await mute(0);
  for (const page of pages) await expect.poll(() => page.mutes).toEqual([mutedUntil, null]);
  expect(await log()).toMatchObject({ canSend: true, why: '', mutedUntil: null });
  expect(witness.mutes).toEqual([]);
});
