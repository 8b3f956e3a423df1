import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Switches } from '@mozhan/contract/switches.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { openSocket } from '../../../testing/live.ts';
import { createStaff } from '../../../testing/staff.ts';
import { defaultSwitches } from '../../platform/settings/index.ts';

let one: TestApp;
let two: TestApp;
let admin: string;
let writer: TestUser;
let reader: TestUser;
let essayId: string;
beforeAll(async () => {
  one = await startTestApp({ config: { paySandbox: true } });
  two = await startTestApp({ sameDatabaseAs: one, config: { paySandbox: true } });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  admin = await one.signInAdmin();
  writer = await createWriter(one);
  reader = await one.register();
  essayId = await publishEssay(one, writer);
});
afterAll(async () => {
  await two.close();
  await one.close();
});
afterEach(() => turn(defaultSwitches));

const turn = (given: Partial<Switches>) => one.call('PUT core/sys/switch/', given, { token: admin });
const otherProcessHas = (given: Partial<Switches>) =>
  expect.poll(() => two.app.services.switches.current()).toMatchObject(given);
const register = (more: object = {}, t = one) =>
  t.call('POST core/user/', { account: uniqueName(), password: PASSWORD, ...more });
const comment = (by: TestUser, content = uniqueName()) =>
  one.call('POST core/essay/cmt', { essayId, content }, { token: by.token });
async function approve(id: string): Promise<void> {
  const input = { id, status: COMMENT_STATUS.visible };
  expect((await one.call('PUT core/sys/comment/', input, { token: admin })).success).toBe(true);
}

test('only staff with the permission read and change the switches, and each change is logged', async () => {
  const viewer = await createStaff(one, ['switch:list']);
  expect((await one.call('GET core/sys/switch/')).status).toBe(401);
  expect((await one.call('GET core/sys/switch/', {}, { token: reader.token })).status).toBe(403);
  expect((await one.call('GET core/sys/switch/', {}, { token: viewer.token })).data).toEqual(defaultSwitches);
  const change = { registration: 'closed', rewards: false };
  for (const token of [undefined, reader.token, viewer.token])
    expect((await one.call('PUT core/sys/switch/', change, { token })).success).toBe(false);
  expect(one.app.services.switches.current()).toEqual(defaultSwitches);

  expect((await turn({ registration: 'closed', letters: true })).data).toEqual({
    ...defaultSwitches,
    registration: 'closed',
  });
  const { data } = await one.call('GET core/sys/log/', { call: 'PUT core/sys/switch/' }, { token: admin });
  expect(data.list[0]).toMatchObject({
    target: 'setting:switches',
    before: { registration: 'open' },
    after: { registration: 'closed' },
  });
});

test('rejects invalid values and changes nothing', async () => {
  for (const wrong of [
    { registration: 'maybe' },
    { comments: '' },
    { reviewedComments: -1 },
    { reviewedComments: 101 },
    { inviteCode: 'short' },
    { inviteCode: '中文的邀请码也不行' },
    { rewards: 'yes' },
    { maintenanceText: '长'.repeat(501) },
  ])
    expect((await turn(wrong as Partial<Switches>)).status).toBe(422);
  expect(one.app.services.switches.current()).toEqual(defaultSwitches);
});

test('concurrent changes of different switches in two processes are all kept', async () => {
  await Promise.all([
    turn({ rewards: false }),
    two.call('PUT core/sys/switch/', { letters: false }, { token: admin }),
    turn({ reviewedComments: 3 }),
    two.call('PUT core/sys/switch/', { comments: 'reviewed' }, { token: admin }),
  ]);
  const all = { rewards: false, letters: false, reviewedComments: 3, comments: 'reviewed' } as const;
  await otherProcessHas(all);
  await expect.poll(() => one.app.services.switches.current()).toMatchObject(all);
});

test('a closed site registers nobody, and sign-in still works, in every process', async () => {
  await turn({ registration: 'closed' });
  await otherProcessHas({ registration: 'closed' });
  for (const t of [one, two]) {
    const refused = await register({ inviteCode: reader.user.inviteCode }, t);
    expect(refused).toMatchObject({ success: false, errorCode: 'REGISTRATION_CLOSED' });
    expect(refused.token).toBeUndefined();
  }
  const signedIn = await one.call('POST core/account/login', {
    account: reader.user.account,
    password: PASSWORD,
  });
  expect(signedIn.success).toBe(true);
  // Staff still create accounts.
  const made = await one.call(
    'POST core/sys/account/',
    { account: uniqueName(), password: 'a good long one', displayName: '新同事', roleIds: [] },
    { token: admin },
  );
  expect(made.success).toBe(true);
});

test('by invitation, only the code of an enabled user or that of the site registers', async () => {
  await turn({ registration: 'invited', inviteCode: 'spring-2026' });
  for (const inviteCode of [undefined, '', 'nobody-has-it', 'SPRING-2026']) {
    const refused = await register({ inviteCode });
    expect(refused.fields).toHaveProperty('inviteCode');
  }
  expect((await register({ inviteCode: 'spring-2026' })).success).toBe(true);
  const invited = await register({ inviteCode: reader.user.inviteCode });
  expect(invited.success).toBe(true);
  const list = await one.call('GET core/user/invitee', {}, { token: reader.token });
  expect(list.data.list.map(({ id }) => id)).toEqual([invited.data.id]);
  const { pool } = one.app.services;
  await pool.query('update accounts set enabled = false where user_id = $1', [invited.data.id]);
  expect((await register({ inviteCode: invited.data.inviteCode })).fields).toEqual({
    inviteCode: '邀请码已失效',
  });
  await turn({ inviteCode: '' });
  expect((await register({ inviteCode: '' })).success).toBe(false);
});

test('comments that are off cannot be written or edited, but stay readable', async () => {
  const { data } = await comment(reader);
  await turn({ comments: 'off' });
  const refused = [
    await comment(reader),
    await one.call('POST core/essay/cmt/reply', { cmtId: data.id, content: '回' }, { token: writer.token }),
    await one.call('PUT core/essay/cmt', { id: data.id, content: '改' }, { token: reader.token }),
  ];
  for (const response of refused)
    expect(response).toMatchObject({ errorCode: 'COMMENTS_CLOSED', errorMessage: '本站暂停了评论' });
  const { list } = (await one.call('GET core/essay/cmt', { essayId })).data;
  expect(list.map(({ id }) => id)).toContain(data.id);
});

test('reviewed comments are held until staff approve them, also after an edit', async () => {
  await turn({ comments: 'reviewed' });
  const { data } = await comment(reader);
  expect(data.held).toBe(true);
  const isPublic = async () =>
    (await one.call('GET core/essay/cmt', { essayId })).data.list.some(({ id }) => id === data.id);
  expect(await isPublic()).toBe(false);
  await approve(data.id);
  expect(await isPublic()).toBe(true);
  const edited = await one.call(
    'PUT core/essay/cmt',
    { id: data.id, content: '通过以后换掉' },
    { token: reader.token },
  );
  expect(edited.data.held).toBe(true);
  expect(await isPublic()).toBe(false);
  const moderator = await createStaff(one, ['comment:list', 'comment:update']);
  expect((await comment(moderator)).data.held).toBe(false);
});

test("holds a new user's first comments until enough of them are public", async () => {
  await turn({ reviewedComments: 2 });
  const beginner = await one.register();
  const first = (await comment(beginner)).data;
  const second = (await comment(beginner)).data;
  expect([first.held, second.held]).toEqual([true, true]);
  await approve(first.id);
  await approve(second.id);
  // Editing one of the two leaves only one besides it.
  const edited = await one.call(
    'PUT core/essay/cmt',
    { id: first.id, content: '换成别的' },
    { token: beginner.token },
  );
  expect(edited.data.held).toBe(true);
  await approve(first.id);
  expect((await comment(beginner)).data.held).toBe(false);
});

test('features that are off refuse their calls with a clear message, in every process', async () => {
  await turn({ rewards: false, letters: false, chats: false });
  await otherProcessHas({ rewards: false, letters: false, chats: false });
  const options = { token: reader.token };
  const to = { userId: writer.user.id };
  for (const t of [one, two]) {
    const reward = { essayId, amount: 500, payBy: 'sandbox' };
    expect((await t.call('POST core/essay/reward', reward, options)).errorMessage).toBe(
      '本站现在没有开放打赏',
    );
    const letter = { ...to, content: '你好' };
    expect((await t.call('POST core/essay/pri/msg', letter, options)).errorCode).toBe('SWITCHED_OFF');
    expect((await t.call('GET core/essay/pri/msg', {}, options)).errorMessage).toBe('本站现在没有开放私信');
    expect((await t.call('GET core/essay/pri/chat', {}, options)).errorMessage).toBe('本站现在没有开放聊天');
    expect((await t.call('GET core/essay/group/chat', { essayId }, options)).errorCode).toBe('SWITCHED_OFF');
    const unread = await t.call('GET core/essay/chat/unread', {}, options);
    expect(unread.data).toEqual({ letters: 0, chats: 0, rooms: 0 });
    expect((await t.call('GET core/essay/reward', { essayId })).success).toBe(true);
    expect((await t.call('GET core/site/')).data.switches).toMatchObject({
      rewards: false,
      letters: false,
      chats: false,
    });
  }
  await turn({ letters: true });
  expect((await one.call('GET core/essay/pri/msg', {}, options)).success).toBe(true);
});

test('closing chats removes listeners from essay rooms in every process', async () => {
  const sockets = [one, two].map((t) => openSocket(t, reader.token));
  const lost: string[] = [];
  for (const socket of sockets) {
    socket.on('roomLost', ({ essayId }) => lost.push(essayId));
    await expect.poll(() => socket.connected).toBe(true);
    expect(await socket.emitWithAck('join', [essayId])).toHaveLength(1);
  }
  await turn({ chats: false });
  await expect.poll(() => lost).toEqual([essayId, essayId]);
  expect(await sockets[0]?.emitWithAck('join', [essayId])).toEqual([]);
  await turn({ chats: true });
  expect(await sockets[0]?.emitWithAck('join', [essayId])).toHaveLength(1);
});

test('the public site contains no private switch', async () => {
  await turn({ registration: 'invited', inviteCode: 'not-for-readers', maintenanceText: '只给维护页面' });
  const text = JSON.stringify((await one.call('GET core/site/')).data);
  expect(text).not.toContain('not-for-readers');
  expect(text).not.toContain('只给维护页面');
});
