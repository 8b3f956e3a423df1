import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { letterCalls } from '../../../testing/letters.ts';
import { checkCounters } from '../../admin/system/index.ts';

let t: TestApp;
let on: ReturnType<typeof letterCalls>;
beforeAll(async () => {
  t = await startTestApp();
  on = letterCalls(t);
});
afterAll(() => t.close());

const pair = async () =>
  [
    await t.register(undefined, { displayName: '林砚' }),
    await t.register(undefined, { displayName: '周野' }),
  ] as const;
const texts = (letters: { content: string }[]) => letters.map(({ content }) => content);
const follow = (userId: string, token: string) => t.call('POST core/essay/follow', { userId }, { token });

test('starts a thread with a letter, continues it with replies and tracks reads', async () => {
  const [lin, zhou] = await pair();
  const first = await on.send(zhou.user.id, '你好，**读了**你写的', lin.token, { subject: '一个问题' });
  expect(first.data).toMatchObject({
    from: { id: lin.user.id, displayName: '林砚' },
    to: { id: zhou.user.id },
    content: '你好，**读了**你写的',
    html: expect.stringContaining('<strong>读了</strong>'),
    parentId: null,
    read: false,
  });
  const { threadId } = first.data;
  const seen = {
    id: threadId,
    subject: '一个问题',
    essay: null,
    excerpt: '你好，读了你写的',
    letterCount: 1,
  };
  expect(await on.threads(lin.token)).toMatchObject([
    { ...seen, other: { id: zhou.user.id }, fromMe: true, unread: 0 },
  ]);
  expect(await on.threads(zhou.token)).toMatchObject([
    { ...seen, other: { id: lin.user.id }, fromMe: false, unread: 1 },
  ]);
  expect((await on.read(threadId, zhou.token)).success).toBe(true);
  expect(await on.threads(zhou.token)).toMatchObject([{ unread: 0 }]);
  expect((await on.openThread(threadId, lin.token)).list).toMatchObject([{ read: true }]);

  const response = await on.send(lin.user.id, '请问', zhou.token, {
    parentId: first.data.id,
    subject: '不算数',
  });
  expect(response.data).toMatchObject({ threadId, parentId: first.data.id, read: false });
  const opened = await on.openThread(threadId, lin.token, { pageSize: 1 });
  expect(opened).toMatchObject({
    total: 2,
    canSend: true,
    why: '',
    thread: { subject: '一个问题', letterCount: 2, unread: 1, fromMe: false, excerpt: '请问' },
  });
  const cursor = (opened as unknown as { next: string }).next;
  expect(texts(opened.list)).toEqual(['你好，**读了**你写的']);
  expect(texts((await on.openThread(threadId, lin.token, { pageSize: 1, cursor })).list)).toEqual(['请问']);

  // A reply marks the thread as read; a letter without a parent starts a new thread, listed first.
  await on.send(zhou.user.id, '是这样', lin.token, { parentId: response.data.id });
  await on.send(zhou.user.id, '另外一件事', lin.token);
  expect(await on.threads(lin.token)).toMatchObject([
    { subject: '', letterCount: 1 },
    { id: threadId, letterCount: 3, unread: 0 },
  ]);
});

test('hides a thread from others and rejects invalid input', async () => {
  const [lin, zhou] = await pair();
  const stranger = await t.register();
  const { data } = await on.send(zhou.user.id, '只说给你听', lin.token);
  for (const response of [
    await on.send(zhou.user.id, '我是谁'),
    await t.call('GET core/essay/pri/msg'),
    await on.read(data.threadId),
    await on.remove(data.threadId),
  ])
    expect(response).toMatchObject({ status: 401, errorCode: 'SIGN_IN_REQUIRED' });
  for (const token of [stranger.token, await t.signInAdmin()]) {
    expect(await on.threads(token)).toEqual([]);
    expect(await on.threads(token, { keyword: '听' })).toEqual([]);
    for (const response of [
      await on.openThread(data.threadId, token),
      await on.read(data.threadId, token),
      await on.remove(data.threadId, token),
      await on.send(zhou.user.id, '插一句', token, { parentId: data.id }),
    ])
      expect(response).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  }
  expect(await on.send(lin.user.id, '自言自语', lin.token)).toMatchObject({ errorCode: 'MESSAGE_SELF' });
  expect(await on.send(newId(), '没有这个人', lin.token)).toMatchObject({ errorCode: 'NOT_FOUND' });
  expect(await on.send(zhou.user.id, '  ', lin.token)).toMatchObject({ status: 422 });
  expect(await on.send(zhou.user.id, '字'.repeat(5001), lin.token)).toMatchObject({ status: 422 });
  expect(await on.send(zhou.user.id, '信', lin.token, { subject: '两\n行' })).toMatchObject({ status: 422 });
  expect(await on.send(stranger.user.id, '传话', lin.token, { parentId: data.id })).toMatchObject({
    status: 422,
    fields: { toUserId: expect.any(String) },
  });
  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [zhou.user.id]);
  expect(await on.send(zhou.user.id, '还在吗', lin.token)).toMatchObject({ errorCode: 'NOT_FOUND' });
  expect(await on.openThread(data.threadId, lin.token)).toMatchObject({
    canSend: false,
    why: '没有找到这位用户',
  });
});

test('stores a repeated request once', async () => {
  const [lin, zhou] = await pair();
  const requestId = newId();
  const sent = await Promise.all(
    [1, 2, 3].map(() => on.send(zhou.user.id, '一封', lin.token, { requestId })),
  );
  expect(new Set(sent.map(({ data }) => data.id)).size).toBe(1);
  expect(await on.threads(zhou.token)).toMatchObject([{ letterCount: 1, unread: 1 }]);
});

test('limits a stranger to three letters until there is a reply, also concurrently', async () => {
  const [lin, zhou] = await pair();
  const sent = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((i) => on.send(zhou.user.id, `第 ${i} 封`, lin.token)),
  );
  expect(sent.filter(({ success }) => success)).toHaveLength(3);
  expect(sent.filter(({ errorCode }) => errorCode === 'STRANGER_LIMIT')).toHaveLength(3);
  const [thread] = await on.threads(zhou.token);
  const { list, canSend, why } = await on.openThread(thread?.id ?? '', lin.token);
  expect([canSend, why]).toEqual([false, '对方还没有回复，先等等吧：没有回复时最多发 3 条']);
  expect(await on.openThread(thread?.id ?? '', zhou.token)).toMatchObject({ canSend: true });
  await on.send(lin.user.id, '收到了', zhou.token, { parentId: list[0]?.id });
  expect(await on.openThread(thread?.id ?? '', lin.token)).toMatchObject({ canSend: true, why: '' });
  for (const i of [1, 2, 3, 4])
    expect((await on.send(zhou.user.id, `又 ${i} 封`, lin.token)).success).toBe(true);
});

test('does not limit users whom the recipient follows', async () => {
  const [lin, zhou] = await pair();
  for (const i of [1, 2, 3])
    expect((await on.send(zhou.user.id, `第 ${i} 封`, lin.token)).success).toBe(true);
  expect(await on.send(zhou.user.id, '太多了', lin.token)).toMatchObject({ errorCode: 'STRANGER_LIMIT' });
  await follow(lin.user.id, zhou.token);
  for (const i of [1, 2, 3, 4])
    expect((await on.send(zhou.user.id, `还有 ${i} 封`, lin.token)).success).toBe(true);
});

test('counts letters and chats against the same limit', async () => {
  const [lin, zhou] = await pair();
  const chat = (clientId: string) =>
    t.call(
      'POST core/essay/pri/chat',
      { toUserId: zhou.user.id, content: '在吗', clientId },
      { token: lin.token },
    );
  const sent = await Promise.all([
    ...[1, 2, 3].map((i) => on.send(zhou.user.id, `第 ${i} 封`, lin.token)),
    ...['client-1', 'client-2', 'client-3'].map(chat),
  ]);
  expect(sent.filter(({ success }) => success)).toHaveLength(3);
  expect(sent.filter(({ errorCode }) => errorCode === 'STRANGER_LIMIT')).toHaveLength(3);
  await on.send(lin.user.id, '在', zhou.token);
  expect(await chat('client-4')).toMatchObject({ success: true });
});

test('keeps one order when both participants write concurrently', async () => {
  const [lin, zhou] = await pair();
  await follow(lin.user.id, zhou.token);
  await follow(zhou.user.id, lin.token);
  const { data } = await on.send(zhou.user.id, '开始', lin.token);
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, i) => {
      const [from, to] = i % 2 === 0 ? [lin, zhou] : [zhou, lin];
      return on.send(to.user.id, `${i}`, from.token, { parentId: data.id });
    }),
  );
  expect(sent.filter(({ success }) => !success)).toEqual([]);
  const { rows } = await t.app.services.pool.query(
    'select seq from letters where thread_id = $1 order by id',
    [data.threadId],
  );
  expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 13 }, (_, i) => i + 1),
  );
  const lists = await Promise.all(
    [lin, zhou].map(async ({ token }) => texts((await on.openThread(data.threadId, token)).list)),
  );
  expect(lists[0]).toEqual(lists[1]);
});

test('hides a deleted thread from one participant until a new letter arrives', async () => {
  const [lin, zhou] = await pair();
  const { data } = await on.send(zhou.user.id, '旧的事', lin.token, { subject: '旧事' });
  expect((await on.remove(data.threadId, zhou.token)).success).toBe(true);
  expect(await on.threads(zhou.token)).toEqual([]);
  expect(await on.openThread(data.threadId, zhou.token)).toMatchObject({ status: 404 });
  expect(await on.remove(data.threadId, zhou.token)).toMatchObject({ status: 404 });
  expect(await on.send(lin.user.id, '回旧信', zhou.token, { parentId: data.id })).toMatchObject({
    status: 404,
  });
  expect(await on.threads(lin.token)).toMatchObject([{ letterCount: 1 }]);
  await on.send(zhou.user.id, '新的事', lin.token, { parentId: data.id });
  expect(await on.threads(zhou.token)).toMatchObject([{ letterCount: 1, unread: 1, excerpt: '新的事' }]);
  expect(texts((await on.openThread(data.threadId, zhou.token)).list)).toEqual(['新的事']);
  expect(await on.threads(zhou.token, { keyword: '旧的' })).toEqual([]);
  expect((await on.openThread(data.threadId, lin.token)).list).toHaveLength(2);
});

test('finds threads by text, subject or name, also by a single character', async () => {
  const [lin, zhou] = await pair();
  const he = await t.register(undefined, { displayName: '何青' });
  await on.send(zhou.user.id, '关于 *索引* 的 50% 问题', lin.token, { subject: '数据库' });
  await on.send(he.user.id, '周末一起走走', lin.token);
  const found = async (keyword: string) =>
    (await on.threads(lin.token, { keyword })).map(({ other }) => other?.displayName);
  expect(await found('引')).toEqual(['周野']);
  expect(await found('数据库')).toEqual(['周野']);
  expect(await found('50%')).toEqual(['周野']);
  expect(await found('%')).toEqual(['周野']);
  expect(await found('何')).toEqual(['何青']);
  expect(await found('周')).toEqual(['何青', '周野']);
  expect(await found('没有')).toEqual([]);
  const first = await t.call('GET core/essay/pri/msg', { keyword: '周', pageSize: 1 }, { token: lin.token });
  expect(first.data).toMatchObject({ total: 2, next: expect.any(String) });
  expect(await on.threads(lin.token, { keyword: '周', pageSize: 1, cursor: first.data.next })).toMatchObject([
    { other: { displayName: '周野' } },
  ]);
});

test('refuses or masks sensitive words; the sender sees the original', async () => {
  const [lin, zhou] = await pair();
  const { addSensitiveWord } = commentCalls(t);
  await addSensitiveWord('不许说', 'refuse');
  await addSensitiveWord('要审的', 'hold');
  await addSensitiveWord('难听话', 'mask');
  for (const [content, subject] of [
    ['有不许说的', ''],
    ['要&#x5BA1;的', ''],
    ['没什么', '不许说'],
  ] as const)
    expect(await on.send(zhou.user.id, content, lin.token, { subject })).toMatchObject({
      status: 422,
      errorCode: 'WORDS_REFUSED',
    });
  const original = '有难听话，也有要审的，`难听话`是代码';
  const { data } = await on.send(zhou.user.id, original, lin.token, { subject: '要审的事' });
  expect(data.content).toBe(original);
  const covered = '有＊＊＊，也有＊＊＊，`难听话`是代码';
  expect(await on.openThread(data.threadId, zhou.token)).toMatchObject({
    thread: { subject: '＊＊＊事' },
    list: [{ content: covered, html: expect.stringContaining('<code>难听话</code>') }],
  });
  expect((await on.threads(zhou.token, { keyword: '要审' })).length).toBe(0);
});

test('refuses a letter that is being sent when the recipient blocks the sender', async () => {
  const [lin, zhou] = await pair();
  await on.send(zhou.user.id, '第一封', lin.token);
  const lockClient = await t.app.services.pool.connect();
  await lockClient.query('begin');
  await lockClient.query('select 1 from contacts where from_id = $1 for update', [lin.user.id]);
  const sending = on.send(zhou.user.id, '第二封', lin.token);
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%into contacts%'`;
  await expect.poll(async () => (await t.app.services.pool.query(waiting)).rowCount).toBe(1);
  await t.call('POST core/user/block', { userId: lin.user.id }, { token: zhou.token });
  await lockClient.query('commit');
  lockClient.release();
  expect(await sending).toMatchObject({ errorCode: 'BLOCKED' });
});

test('refuses letters in both directions after a block', async () => {
  const [lin, zhou] = await pair();
  const { data } = await on.send(zhou.user.id, '你好', lin.token);
  const listNotices = commentCalls(t).notices;
  expect(await listNotices(zhou.token)).toHaveLength(1);
  await commentCalls(t).block(lin.user.id, zhou.token);
  expect(await on.send(zhou.user.id, '在吗', lin.token)).toMatchObject({
    errorCode: 'BLOCKED',
    errorMessage: '对方不接受你的互动',
  });
  const mine = '你屏蔽了对方，解除屏蔽后才能发消息';
  expect(await on.send(lin.user.id, '在', zhou.token, { parentId: data.id })).toMatchObject({
    errorCode: 'BLOCKED',
    errorMessage: mine,
  });
  expect(await on.openThread(data.threadId, zhou.token)).toMatchObject({ canSend: false, why: mine });
  expect(await listNotices(zhou.token)).toEqual([]);
});

test('notifies the recipient, pushes events to both and records the trend', async () => {
  const writer = await createWriter(t, '写信谈的人');
  const essayId = await publishEssay(t, writer);
  const { token, user } = await t.register();
  const toUser = vi.spyOn(t.app.services.live, 'emitToUser');
  const received = (userId: string, event: string) =>
    toUser.mock.calls.filter(([to, name]) => to === userId && name === event).map(([, , value]) => value);

  const { data } = await on.send(writer.user.id, '第二节有个疑问', token, { essayId, subject: '疑问' });
  const { threadId } = data;
  expect((await on.threads(writer.token))[0]?.essay).toMatchObject({ id: essayId });
  for (const { id } of [writer.user, user]) expect(received(id, 'letter')).toEqual([{ threadId }]);
  await expect.poll(() => received(writer.user.id, 'talks').at(-1)).toMatchObject({ letters: 1 });
  const listNotices = commentCalls(t).notices;
  expect((await listNotices(writer.token))[0]).toMatchObject({
    kind: 'message',
    verb: '给你写了私信',
    target: { title: '疑问', url: `/account/center.html?tab=letter&thread=${threadId}` },
    excerpt: '第二节有个疑问',
    read: false,
  });
  await on.read(threadId, writer.token);
  expect((await listNotices(writer.token))[0]).toMatchObject({ read: true });
  await expect.poll(() => received(writer.user.id, 'talks').at(-1)).toMatchObject({ letters: 0 });
  expect(received(user.id, 'letter')).toHaveLength(2);
  await on.send(user.id, '我看看', writer.token, { parentId: data.id });
  await on.send(user.id, '改好了', writer.token, { parentId: data.id });
  await on.send(writer.user.id, '多谢', token);
  const trends = async (token: string, userId?: string) =>
    (
      await t.call('GET core/user/trend', { ...(userId === undefined ? {} : { userId }) }, { token })
    ).data.list.map(({ verb, target }) => [verb, target?.id]);
  expect(await trends(token)).toEqual([
    ['私信于', writer.user.id],
    ['私信于', essayId],
    ['注册了', user.id],
  ]);
  expect((await trends(writer.token))[0]).toEqual(['回复私信于', essayId]);
  expect(await trends(token, writer.user.id)).not.toContainEqual(['回复私信于', essayId]);
  toUser.mockRestore();
  expect(await on.send(writer.user.id, '谈草稿', token, { essayId: newId() })).toMatchObject({ status: 404 });
  expect(await checkCounters(systemCtx(t.app.services))).toEqual([]);
});
