import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatCalls } from '../../../testing/chats.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { openSocket } from '../../../testing/live.ts';
import { createPng } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { storeImage } from '../../platform/uploads/index.ts';
import { purgeChats } from './index.ts';

let t: TestApp;
let c: ReturnType<typeof chatCalls>;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  c = chatCalls(t);
  author = await createWriter(t, '林砚');
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

const registerUser = (displayName: string): Promise<TestUser> => t.register(undefined, { displayName });

/** Collects all events of a user's open page as name and payload. */
async function listen({ token }: TestUser, rooms: string[] = []): Promise<[string, unknown][]> {
  const socket = openSocket(t, token);
  const received: [string, unknown][] = [];
  socket.onAny((event: string, said: unknown) => {
    if (event !== 'unread' && event !== 'online') received.push([event, said]);
  });
  // The unread counts arrive first, once the connection is ready.
  await expect.poll(() => received.length).toBe(1);
  if (rooms.length > 0) await new Promise((resolve) => socket.emit('join', rooms, resolve));
  received.length = 0;
  return received;
}

test('pushes messages, reads and recalls to both users of a pair and nobody else', async () => {
  const [one, other, third] = [await registerUser('甲'), await registerUser('乙'), await registerUser('丙')];
  const [mine, theirs, nothing] = [await listen(one), await listen(other), await listen(third)];
  const { data: message } = await c.send(other.user.id, '听得见吗', one.token);
  const ofOther = { userId: other.user.id };
  const ofOne = { userId: one.user.id };
  await expect.poll(() => theirs).toHaveLength(2);
  expect(theirs).toContainEqual(['chat', { talk: ofOne, message }]);
  expect(theirs).toContainEqual(['talks', { letters: 0, chats: 1, rooms: 0 }]);
  await expect.poll(() => mine).toEqual([['chat', { talk: ofOther, message }]]);
  await c.read(one.user.id, 1, other.token);
  await expect.poll(() => mine.at(-1)).toEqual(['chatRead', { talk: ofOther, byId: other.user.id, seq: 1 }]);
  await expect.poll(() => theirs).toContainEqual(['talks', { letters: 0, chats: 0, rooms: 0 }]);
  await c.recall(message.id, one.token);
  await expect
    .poll(() => theirs.at(-1))
    .toEqual(['chat', { talk: ofOne, message: { ...message, content: '', html: '', removed: true } }]);
  // A retry is delivered again: the process that stored the message may have died before delivering it.
  const send = () => c.send(other.user.id, '还在吗', one.token, { clientId: 'sent-twice' });
  const again = ['chat', { talk: ofOne, message: (await send()).data }];
  await expect.poll(() => theirs).toContainEqual(again);
  theirs.length = 0;
  await send();
  await expect.poll(() => theirs).toContainEqual(again);
  expect(nothing).toEqual([]);
});

test('pushes messages and removals of a room to joined users with access', async () => {
  const essayId = await publishEssay(t, author);
  const locked = await publishEssay(t, author, { price: 100 });
  const [one, other] = [await registerUser('甲'), await registerUser('乙')];
  const received = await listen(one, [essayId, locked]);
  const absent = await listen(other);
  const { data: message } = await c.sendToRoom(essayId, '开讲了', author.token);
  await c.sendToRoom(locked, '只说给买了的人', author.token);
  await expect.poll(() => received).toEqual([['chat', { talk: { essayId }, message }]]);
  await c.remove(message.id, author.token);
  await expect
    .poll(() => received.at(-1)?.[1])
    .toMatchObject({ message: { seq: 1, removed: true, content: '' } });
  expect(received).toHaveLength(2);
  expect(absent).toEqual([]);
});

test('accepts only own uploads as pictures and essays that are on the shelf', async () => {
  const [one, other] = [await registerUser('甲'), await registerUser('乙')];
  const content = await createPng({ width: 80, height: 40 });
  const upload = (userId: string) =>
    storeImage(systemCtx(t.app.services), userId, { content, isGenerated: false });
  const { path, thumbPath } = await upload(one.user.id);
  const { data: picture } = await c.send(other.user.id, path, one.token, { kind: 'image' });
  expect(picture).toMatchObject({
    kind: 'image',
    content: path,
    html: '',
    image: { url: path, thumbUrl: thumbPath, width: 80, height: 40 },
  });
  const { path: foreign } = await storeImage(systemCtx(t.app.services), author.user.id, {
    content: await createPng({ background: '#2a6' }),
    isGenerated: false,
  });
  expect(await c.send(other.user.id, foreign, one.token, { kind: 'image' })).toMatchObject({
    status: 422,
    fields: { content: '请先上传图片，再发送' },
  });
  const essayId = await publishEssay(t, author, { title: '值得一读', cover: foreign });
  const { data: shared } = await c.send(other.user.id, essayId, one.token, { kind: 'essay' });
  expect(shared).toMatchObject({
    content: essayId,
    essay: { id: essayId, title: '值得一读', author: '林砚', cover: { url: foreign } },
  });
  await t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: author.token });
  const { list } = (await c.messagesWith(one.user.id, other.token)).data;
  expect(list.map(({ kind, essay }) => [kind, essay])).toEqual([
    ['image', null],
    ['essay', null],
  ]);
  expect((await c.send(other.user.id, essayId, one.token, { kind: 'essay' })).status).toBe(422);
});

test('finds messages by any characters, only in the own conversations', async () => {
  const [one, other, third] = [await registerUser('甲'), await registerUser('乙'), await registerUser('丙')];
  const essayId = await publishEssay(t, author, { title: '队列' });
  const texts = ['今天下雨', '明天**天晴**', 'Hello World', '資料庫很慢'];
  for (const text of texts.slice(0, 3)) await c.send(other.user.id, text, one.token);
  await c.send(one.user.id, texts[3] ?? '', other.token);
  await c.sendToRoom(essayId, '后天下雪', one.token);
  await c.send(third.user.id, '天知道', author.token);
  const found = async (keyword: string, more: object = {}, { token } = one) =>
    (await c.search(keyword, token, more)).data.list.map(({ message }) => message.content);
  expect(await found('天')).toEqual(['后天下雪', '明天**天晴**', '今天下雨']);
  expect(await found('雨')).toEqual(['今天下雨']);
  expect(await found('天下')).toEqual(['后天下雪', '今天下雨']);
  expect(await found('明天天晴')).toEqual(['明天**天晴**']);
  expect(await found('天天下')).toEqual([]);
  expect(await found('hello W')).toEqual(['Hello World']);
  // Traditional and simplified characters match each other.
  expect(await found('资料')).toEqual(['資料庫很慢']);
  expect(await found('天', { userId: other.user.id })).toHaveLength(2);
  expect(await found('天', { essayId })).toEqual(['后天下雪']);
  expect(await found('天', {}, other)).toEqual(['明天**天晴**', '今天下雨']);
  expect(await found('天', { userId: author.user.id })).toEqual([]);
  const first = (await c.search('天', one.token, { pageSize: 2 })).data;
  expect(first).toMatchObject({
    total: 3,
    list: [{ essay: { title: '队列' }, user: null }, { user: { displayName: '乙' } }],
  });
  const next = (await c.search('天', one.token, { pageSize: 2, cursor: first.next })).data;
  expect(next.list.map(({ message }) => message.content)).toEqual(['今天下雨']);
  expect((await c.search(' ', one.token)).status).toBe(422);
});

test('numbers concurrent messages without gaps in each conversation', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => t.register()));
  const pairs = people.flatMap((one, at) => people.slice(at + 1).map((other) => [one, other] as const));
  // Both users reply, so the limit for strangers does not apply.
  await Promise.all(
    pairs.flatMap(([one, other]) =>
      [one, other, one, other, one].map((from, at) =>
        c.send((from === one ? other : one).user.id, `第 ${at} 句`, from.token),
      ),
    ),
  );
  for (const [one, other] of pairs) {
    const [mine, theirs] = [
      await c.messagesWith(other.user.id, one.token),
      await c.messagesWith(one.user.id, other.token),
    ];
    expect(mine.data.list.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(mine.data.list).toEqual(theirs.data.list);
  }
});

test('lets users report visible messages and staff read and remove them', async () => {
  const [one, other, third] = [await registerUser('甲'), await registerUser('乙'), await registerUser('丙')];
  const essayId = await publishEssay(t, author, { price: 100 });
  const { data: secret } = await c.send(other.user.id, '骂人的话', one.token);
  const { data: open } = await c.sendToRoom(essayId, '也是骂人的话', author.token);
  const report = (targetId: string, { token }: TestUser) =>
    t.call('POST core/user/report', { kind: 'chat', targetId, reason: 'abuse' }, { token });
  expect((await report(secret.id, one)).errorCode).toBe('REPORT_SELF');
  for (const id of [secret.id, open.id]) expect((await report(id, third)).status).toBe(422);
  expect((await report(secret.id, other)).success).toBe(true);
  const clerk = await createStaff(t, ['report:list', 'comment:update', 'essay:audit']);
  expect((await report(open.id, clerk)).success).toBe(true);
  const { list } = (await t.call('GET core/sys/report/', { kind: 'chat' }, { token: clerk.token })).data;
  expect(list.map(({ target }) => target)).toMatchObject([
    {
      title: '也是骂人的话',
      url: `/essay/detail/${essayId}.html#chat`,
      user: { displayName: '林砚' },
      chat: { room: { id: essayId }, removed: false },
    },
    {
      title: '骂人的话',
      url: `/user/home/${one.user.id}.html`,
      user: { displayName: '甲' },
      chat: { room: null, removed: false },
    },
  ]);
  expect((await c.remove(open.id, clerk.token)).success).toBe(true);
  expect((await c.roomMessages(essayId, author.token)).data.list[0]).toMatchObject({
    removed: true,
    content: '',
  });
  expect((await c.remove(secret.id, clerk.token)).errorCode).toBe('NOT_FOUND');
});

test('deletes the pairs of removed users and leaves tombstones in rooms', async () => {
  const [one, other] = [await registerUser('甲'), await registerUser('乙')];
  const essayId = await publishEssay(t, author);
  await c.send(other.user.id, '再见', one.token);
  await c.sendToRoom(essayId, '要走了', one.token);
  await c.sendToRoom(essayId, '保重', other.token);
  await inTransaction(systemCtx(t.app.services), (ctx) => purgeChats(ctx, [one.user.id]));
  expect((await c.conversations(other.token)).data.total).toBe(0);
  const { list, removed } = (await c.roomMessages(essayId, other.token)).data;
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '' },
    { seq: 2, content: '保重' },
  ]);
  expect(removed).toEqual([1]);
});
