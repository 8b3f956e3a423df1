import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { chatting } from '../../../testing/chats.ts';
import { talk } from '../../../testing/comments.ts';
import { essayFields, makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { post } from '../../../testing/letters.ts';
import { makeStaff } from '../../../testing/staff.ts';

const SENTENCE = '发表前请先在设置里绑定手机号';
const sms = {
  accessKeyId: 'id',
  accessKeySecret: 'secret',
  signName: '墨栈',
  templateCode: 'SMS_1',
  endpoint: 'http://127.0.0.1:9',
};

let t: TestApp;
let author: Writer;
let essayId: string;
let cmtId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { sms } });
  author = await makeWriter(t);
  essayId = await publishEssay(t, author);
  cmtId = (await talk(t).say(essayId, '第一条', author.token)).data.id;
});
afterAll(() => t.close());

const demand = async (requirePhone: boolean) =>
  t.call('PUT core/sys/setting/', { requirePhone }, { token: await t.signInAdmin() });
const bind = (id: string, phone: string) =>
  t.app.services.pool.query('update accounts set phone = $1 where user_id = $2', [phone, id]);

/** Everything that is posted, by one person. */
async function postings(on: TestApp, { token }: Pick<Writer, 'token'>) {
  const chats = chatting(on);
  const toUserId = author.user.id;
  return [
    await talk(on).say(essayId, '说得好', token),
    await talk(on).reply(cmtId, '同意', token),
    await chats.say(essayId, '大家好', token),
    await chats.send(toUserId, '在吗', token),
    await post(on).send(toUserId, '有一事请教', token),
  ];
}

async function submissions(writer: Writer) {
  const { token } = writer;
  const fields = await essayFields(t);
  const draft = await t.call('POST core/essay/', fields, { token });
  expect(draft.success, 'drafts go on').toBe(true);
  const { id, version } = draft.data;
  const saved = await t.call('PUT core/essay/', { id, version, title: '改过的标题' }, { token });
  expect(saved.success).toBe(true);
  return [
    await t.call('POST core/essay/', { ...fields, status: 1 }, { token }),
    await t.call('PUT core/essay/', { id, version: saved.data.version, status: 1 }, { token }),
    await t.call('PUT core/essay/status', { id, status: 1 }, { token }),
  ];
}

test('off by default, nobody needs a phone', async () => {
  for (const answer of await postings(t, await t.register())) expect(answer.success).toBe(true);
});

test('while it is on, who has bound none posts nothing; drafts, reading and liking go on', async () => {
  await demand(true);
  const writer = await makeWriter(t);
  const refused = [...(await postings(t, writer)), ...(await submissions(writer))];
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 403, errorCode: 'FORBIDDEN', errorMessage: SENTENCE });
  const { token } = writer;
  expect((await t.call('GET core/essay/{id}', { id: essayId }, { token })).success).toBe(true);
  expect((await t.call('POST core/essay/like', { essayId }, { token })).success).toBe(true);
  const closed = { canSend: false, why: SENTENCE };
  expect((await chatting(t).with(author.user.id, token)).data).toMatchObject(closed);
  expect((await chatting(t).room(essayId, token)).data).toMatchObject(closed);

  await bind(writer.user.id, '13900000001');
  for (const answer of await postings(t, writer)) expect(answer.success).toBe(true);
  const [submitted] = await submissions(writer);
  expect(submitted?.success).toBe(true);
});

test('staff need none, and where no text message can be sent nobody does', async () => {
  await demand(true);
  for (const answer of await postings(t, await makeStaff(t, ['log:list']))) expect(answer.success).toBe(true);
  const bare = await startTestApp({ beside: t });
  for (const answer of await postings(bare, await t.register())) expect(answer.success).toBe(true);
  await bare.close();
});

test('a comment is not rewritten without one; what was sent before is answered as it was', async () => {
  await demand(false);
  const { token } = await t.register();
  const chats = chatting(t);
  const said = await talk(t).say(essayId, '先说一句', token);
  const message = { clientId: 'the-same-one' };
  await chats.say(essayId, '发过的', token, message);
  await chats.send(author.user.id, '发过的', token, message);
  await demand(true);
  const edited = await talk(t).edit(said.data.id, { content: '换成广告' }, token);
  expect(edited.errorMessage).toBe(SENTENCE);
  expect((await chats.say(essayId, '发过的', token, message)).success).toBe(true);
  expect((await chats.send(author.user.id, '发过的', token, message)).success).toBe(true);
});
