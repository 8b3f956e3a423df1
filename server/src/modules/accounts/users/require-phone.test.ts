import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatCalls } from '../../../testing/chats.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createWriter, essayFields, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { letterCalls } from '../../../testing/letters.ts';
import { createStaff } from '../../../testing/staff.ts';

const MESSAGE = '发布前请先在设置里绑定手机号';
const sms = {
  accessKeyId: 'id',
  accessKeySecret: 'secret',
  signName: '墨栈',
  templateCode: 'SMS_1',
  endpoint: 'http://127.0.0.1:9',
};

let t: TestApp;
let author: TestUser;
let essayId: string;
let cmtId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { sms } });
  author = await createWriter(t);
  essayId = await publishEssay(t, author);
  cmtId = (await commentCalls(t).addComment(essayId, '第一条', author.token)).data.id;
});
afterAll(() => t.close());

const setRequirePhone = async (requirePhone: boolean) =>
  t.call('PUT core/sys/setting/', { requirePhone }, { token: await t.signInAdmin() });
const bind = (id: string, phone: string) =>
  t.app.services.pool.query('update accounts set phone = $1 where user_id = $2', [phone, id]);

/** Sends one post of every kind. */
async function sendAllPosts(on: TestApp, { token }: Pick<TestUser, 'token'>) {
  const chats = chatCalls(on);
  const toUserId = author.user.id;
  return [
    await commentCalls(on).addComment(essayId, '说得好', token),
    await commentCalls(on).reply(cmtId, '同意', token),
    await chats.sendToRoom(essayId, '大家好', token),
    await chats.send(toUserId, '在吗', token),
    await letterCalls(on).send(toUserId, '有一事请教', token),
  ];
}

async function submitAll(writer: TestUser) {
  const { token } = writer;
  const fields = await essayFields(t);
  const draft = await t.call('POST core/essay/', fields, { token });
  expect(draft.success, 'drafts are still allowed').toBe(true);
  const { id, version } = draft.data;
  const saved = await t.call('PUT core/essay/', { id, version, title: '改过的标题' }, { token });
  expect(saved.success).toBe(true);
  return [
    await t.call('POST core/essay/', { ...fields, status: 1 }, { token }),
    await t.call('PUT core/essay/', { id, version: saved.data.version, status: 1 }, { token }),
    await t.call('PUT core/essay/status', { id, status: 1 }, { token }),
  ];
}

test('requires no phone by default', async () => {
  for (const response of await sendAllPosts(t, await t.register())) expect(response.success).toBe(true);
});

test('refuses posts without a phone while the setting is on, but allows drafts, reading and likes', async () => {
  await setRequirePhone(true);
  const writer = await createWriter(t);
  const refused = [...(await sendAllPosts(t, writer)), ...(await submitAll(writer))];
  for (const response of refused)
    expect(response).toMatchObject({ status: 403, errorCode: 'FORBIDDEN', errorMessage: MESSAGE });
  const { token } = writer;
  expect((await t.call('GET core/essay/{id}', { id: essayId }, { token })).success).toBe(true);
  expect((await t.call('POST core/essay/like', { essayId }, { token })).success).toBe(true);
  const closed = { canSend: false, why: MESSAGE };
  expect((await chatCalls(t).messagesWith(author.user.id, token)).data).toMatchObject(closed);
  expect((await chatCalls(t).roomMessages(essayId, token)).data).toMatchObject(closed);

  await bind(writer.user.id, '13900000001');
  for (const response of await sendAllPosts(t, writer)) expect(response.success).toBe(true);
  const [submitted] = await submitAll(writer);
  expect(submitted?.success).toBe(true);
});

test('exempts staff, and everyone when the site cannot send text messages', async () => {
  await setRequirePhone(true);
  for (const response of await sendAllPosts(t, await createStaff(t, ['log:list'])))
    expect(response.success).toBe(true);
  const bare = await startTestApp({ sameDatabaseAs: t });
  for (const response of await sendAllPosts(bare, await t.register())) expect(response.success).toBe(true);
  await bare.close();
});

test('refuses to edit a comment without a phone, but answers retries of earlier requests', async () => {
  await setRequirePhone(false);
  const { token } = await t.register();
  const chats = chatCalls(t);
  const said = await commentCalls(t).addComment(essayId, '先说一句', token);
  const message = { clientId: 'the-same-one' };
  await chats.sendToRoom(essayId, '发过的', token, message);
  await chats.send(author.user.id, '发过的', token, message);
  await setRequirePhone(true);
  const edited = await commentCalls(t).edit(said.data.id, { content: '换成广告' }, token);
  expect(edited.errorMessage).toBe(MESSAGE);
  expect((await chats.sendToRoom(essayId, '发过的', token, message)).success).toBe(true);
  expect((await chats.send(author.user.id, '发过的', token, message)).success).toBe(true);
});
