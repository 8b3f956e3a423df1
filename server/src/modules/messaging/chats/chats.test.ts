import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatting } from '../../../testing/chats.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { openSocket } from '../../../testing/live.ts';
import { makePng } from '../../../testing/pictures.ts';
import { makeStaff } from '../../../testing/staff.ts';
import { storeImage } from '../../platform/uploads/index.ts';
import { releaseChats } from './index.ts';

let t: TestApp;
let c: ReturnType<typeof chatting>;
let author: Writer;
beforeAll(async () => {
  t = await startTestApp();
  c = chatting(t);
  author = await makeWriter(t, '林砚');
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

const person = (displayName: string): Promise<Writer> => t.register(undefined, { displayName });

/** All that somebody's open page hears, as the name of the event and what came with it. */
async function listen({ token }: Writer, rooms: string[] = []): Promise<[string, unknown][]> {
  const socket = openSocket(t, token);
  const heard: [string, unknown][] = [];
  socket.onAny((event: string, said: unknown) => {
    if (event !== 'unread') heard.push([event, said]);
  });
  // What is unread comes first, when everything else can be heard.
  await expect.poll(() => heard.length).toBe(1);
  if (rooms.length > 0) await new Promise((resolve) => socket.emit('join', rooms, resolve));
  heard.length = 0;
  return heard;
}

test('both of two hear what is said, read and taken back, each by the other’s name; nobody else', async () => {
  const [one, other, third] = [await person('甲'), await person('乙'), await person('丙')];
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
  // A retry is delivered again: the process that stored it may have died before it could.
  const send = () => c.send(other.user.id, '还在吗', one.token, { clientId: 'sent-twice' });
  const again = ['chat', { talk: ofOne, message: (await send()).data }];
  await expect.poll(() => theirs).toContainEqual(again);
  theirs.length = 0;
  await send();
  await expect.poll(() => theirs).toContainEqual(again);
  expect(nothing).toEqual([]);
});

test('a room is heard by those who joined and may; what is taken away, too', async () => {
  const essayId = await publishEssay(t, author);
  const locked = await publishEssay(t, author, { price: 100 });
  const [one, other] = [await person('甲'), await person('乙')];
  const heard = await listen(one, [essayId, locked]);
  const absent = await listen(other);
  const { data: message } = await c.say(essayId, '开讲了', author.token);
  await c.say(locked, '只说给买了的人', author.token);
  await expect.poll(() => heard).toEqual([['chat', { talk: { essayId }, message }]]);
  await c.remove(message.id, author.token);
  await expect
    .poll(() => heard.at(-1)?.[1])
    .toMatchObject({ message: { seq: 1, removed: true, content: '' } });
  expect(heard).toHaveLength(2);
  expect(absent).toEqual([]);
});

test('pictures are one’s own uploads, essays those on the shelf', async () => {
  const [one, other] = [await person('甲'), await person('乙')];
  const content = await makePng({ width: 80, height: 40 });
  const upload = (userId: string) =>
    storeImage(systemCtx(t.app.services), userId, { content, isDrawing: false });
  const { path, thumbPath } = await upload(one.user.id);
  const { data: picture } = await c.send(other.user.id, path, one.token, { kind: 'image' });
  expect(picture).toMatchObject({
    kind: 'image',
    content: path,
    html: '',
    image: { url: path, thumbUrl: thumbPath, width: 80, height: 40 },
  });
  const { path: foreign } = await storeImage(systemCtx(t.app.services), author.user.id, {
    content: await makePng({ background: '#2a6' }),
    isDrawing: false,
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
  const { list } = (await c.with(one.user.id, other.token)).data;
  expect(list.map(({ kind, essay }) => [kind, essay])).toEqual([
    ['image', null],
    ['essay', null],
  ]);
  expect((await c.send(other.user.id, essayId, one.token, { kind: 'essay' })).status).toBe(422);
});

test('what was said is found by any of its characters, in one’s own conversations only', async () => {
  const [one, other, third] = [await person('甲'), await person('乙'), await person('丙')];
  const essayId = await publishEssay(t, author, { title: '队列' });
  const says = ['今天下雨', '明天**天晴**', 'Hello World', '資料庫很慢'];
  for (const text of says.slice(0, 3)) await c.send(other.user.id, text, one.token);
  await c.send(one.user.id, says[3] ?? '', other.token);
  await c.say(essayId, '后天下雪', one.token);
  await c.send(third.user.id, '天知道', author.token);
  const found = async (keyword: string, more: object = {}, { token } = one) =>
    (await c.search(keyword, token, more)).data.list.map(({ message }) => message.content);
  expect(await found('天')).toEqual(['后天下雪', '明天**天晴**', '今天下雨']);
  expect(await found('雨')).toEqual(['今天下雨']);
  expect(await found('天下')).toEqual(['后天下雪', '今天下雨']);
  expect(await found('明天天晴')).toEqual(['明天**天晴**']);
  expect(await found('天天下')).toEqual([]);
  expect(await found('hello W')).toEqual(['Hello World']);
  // Traditional characters and simplified ones are the same.
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

test('many at once in several conversations: each is numbered without a gap', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => t.register()));
  const pairs = people.flatMap((one, at) => people.slice(at + 1).map((other) => [one, other] as const));
  // Both are answered, so that nobody is a stranger.
  await Promise.all(
    pairs.flatMap(([one, other]) =>
      [one, other, one, other, one].map((from, at) =>
        c.send((from === one ? other : one).user.id, `第 ${at} 句`, from.token),
      ),
    ),
  );
  for (const [one, other] of pairs) {
    const [mine, theirs] = [await c.with(other.user.id, one.token), await c.with(one.user.id, other.token)];
    expect(mine.data.list.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(mine.data.list).toEqual(theirs.data.list);
  }
});

test('a message is reported by who can see it; staff see what was said, and take it away', async () => {
  const [one, other, third] = [await person('甲'), await person('乙'), await person('丙')];
  const essayId = await publishEssay(t, author, { price: 100 });
  const { data: secret } = await c.send(other.user.id, '骂人的话', one.token);
  const { data: open } = await c.say(essayId, '也是骂人的话', author.token);
  const report = (targetId: string, { token }: Writer) =>
    t.call('POST core/user/report', { kind: 'chat', targetId, reason: 'abuse' }, { token });
  expect((await report(secret.id, one)).errorCode).toBe('REPORT_SELF');
  for (const id of [secret.id, open.id]) expect((await report(id, third)).status).toBe(422);
  expect((await report(secret.id, other)).success).toBe(true);
  const clerk = await makeStaff(t, ['report:list', 'comment:update', 'essay:audit']);
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
  expect((await c.room(essayId, author.token)).data.list[0]).toMatchObject({ removed: true, content: '' });
  expect((await c.remove(secret.id, clerk.token)).errorCode).toBe('NOT_FOUND');
});

test('with people goes what they said to somebody; in rooms their places stay', async () => {
  const [one, other] = [await person('甲'), await person('乙')];
  const essayId = await publishEssay(t, author);
  await c.send(other.user.id, '再见', one.token);
  await c.say(essayId, '要走了', one.token);
  await c.say(essayId, '保重', other.token);
  await inTx(systemCtx(t.app.services), (ctx) => releaseChats(ctx, [one.user.id]));
  expect((await c.talks(other.token)).data.total).toBe(0);
  const { list, removed } = (await c.room(essayId, other.token)).data;
  expect(list).toMatchObject([
    { seq: 1, removed: true, content: '' },
    { seq: 2, content: '保重' },
  ]);
  expect(removed).toEqual([1]);
});
