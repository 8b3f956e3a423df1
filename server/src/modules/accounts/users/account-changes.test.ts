import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { type AliyunSms, newPhone } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, type TestApp, uniqueName } from '../../../testing/app.ts';
import { makeWriter } from '../../../testing/essays.ts';
import { type ReachableApp, startReachableApp } from '../../../testing/reachable.ts';
import type { Smtp } from '../../../testing/smtp.ts';
import { makeMember } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let smtp: Smtp;
let aliyun: AliyunSms;
let t: TestApp;
let close: ReachableApp['close'];
beforeAll(async () => {
  ({ t, smtp, aliyun, close } = await startReachableApp());
});
afterAll(() => close());

const newEmail = () => `${uniqueName()}@example.com`;
const askBind = (target: string, token: string) =>
  t.call('POST core/account/code', { purpose: 'bind', target }, { token });
const enterBind = (target: string, code: string, token: string) =>
  t.call('PUT core/account/code', { purpose: 'bind', target, code }, { token });
async function bind(target: string, token: string): Promise<void> {
  await askBind(target, token);
  const code = target.includes('@') ? await smtp.takeCode(target) : await aliyun.takeCode(target);
  const { success, errorCode } = await enterBind(target, code, token);
  if (!success) throw new Error(errorCode);
}
const reauth = (token: string) =>
  t.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { token });
const look = (which: object, token?: string) => t.call('POST core/account/change', which, { token });
const undo = (which: object, token?: string) => t.call('PUT core/account/change', which, { token });
const me = (token: string) => t.call('GET core/user/', {}, { token });
const signIn = (account: string, password = PASSWORD) =>
  t.call('POST core/account/login', { account, password });
const stored = async (userId: string) =>
  (await t.app.services.pool.query('select * from accounts where user_id = $1', [userId])).rows[0];

/** The token of the link in the mail that tells of a change. */
async function linkIn(to: string, word: string): Promise<{ token: string }> {
  const body = await smtp.take(to, word);
  const token = body.match(/http:\/\/site\.test\/login\.html\?mode=not-me#([\w-]{43})\s/)?.[1];
  if (token === undefined) throw new Error(`no link in: ${body}`);
  return { token };
}

/** The id in the newest notice of a change. */
async function noticeId(token: string): Promise<{ id: string }> {
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  const url = data.list.find(({ target }) => target?.url.includes('not-me'))?.target?.url ?? '';
  return { id: url.replace('/login.html?mode=not-me&id=', '') };
}

/** A writer whose e-mail was bound long ago, freshly re-authenticated. */
async function makeOwner() {
  const { token, user } = await makeWriter(t);
  const email = newEmail();
  await bind(email, token);
  t.advance(8 * 24 * HOUR);
  await reauth(token);
  return { token, id: user.id, account: user.account, email };
}

test('a changed e-mail is told to the old address alone; its link takes everything back, once', async () => {
  const { token, id, account, email } = await makeOwner();
  const made = { name: 'CI', scopes: ['essay:read'], days: 30 };
  const apiToken = (await t.call('POST core/user/token/', made, { token })).data.token;
  const second = (await signIn(account)).token ?? '';
  const thiefs = newEmail();
  await bind(thiefs, token);
  const link = await linkIn(email, '绑定了邮箱');
  expect((await me(token)).data).toMatchObject({ email: thiefs });
  const { rows } = await t.app.services.pool.query('select * from account_changes where user_id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(link.token);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(JSON.stringify(notices.data)).not.toContain(link.token);
  expect(JSON.stringify(notices.data)).toContain('绑定了邮箱 u***@example.com');

  // Whatever opens links before people do changes nothing.
  for (let i = 0; i < 2; i++)
    expect((await look(link)).data).toMatchObject({ kind: 'email', value: 'u***@example.com' });
  expect((await me(token)).data).toMatchObject({ email: thiefs });

  const answers = await Promise.all([undo(link), undo(link), undo(link)]);
  expect(answers.map(({ success, errorCode }) => (success ? 'undone' : errorCode)).sort()).toEqual([
    'GONE',
    'GONE',
    'undone',
  ]);
  expect(answers.find(({ success }) => success)?.data).toEqual({ reset: true });
  for (const each of [token, second]) expect((await me(each)).status).toBe(401);
  expect((await t.call('GET core/essay/', { mine: 1 }, { token: apiToken })).status).toBe(401);
  expect((await look(link)).errorCode).toBe('GONE');

  // The password is worth nothing any more; the old address sets a new one.
  expect((await signIn(account)).errorCode).toBe('WRONG_PASSWORD');
  await t.call('POST core/account/reset', { account });
  const code = await smtp.takeCode(email);
  const newPassword = 'the owner is back';
  expect((await t.call('PUT core/account/reset', { account, code, newPassword })).success).toBe(true);
  const back = await signIn(account, newPassword);
  expect(back.data).toMatchObject({ id, email });

  // The same change has to wait.
  expect((await askBind(newEmail(), back.token ?? '')).errorCode).toBe('CHANGE_LOCKED');
  expect((await askBind(newPhone(), back.token ?? '')).success).toBe(true);
  t.advance(24 * HOUR + 1000);
  const later = (await signIn(account, newPassword)).token ?? '';
  expect((await askBind(newEmail(), later)).success).toBe(true);
  expect(smtp.mails.filter(({ to }) => to === thiefs)).toEqual([]);
});

test('a link works for seven days; what is no link, or not one’s own, opens nothing', async () => {
  const { token, email } = await makeOwner();
  await bind(newPhone(), token);
  const link = await linkIn(email, '绑定了手机号');
  const own = await noticeId(token);
  const stranger = await t.register();
  for (const call of [look, undo]) {
    expect((await call({ token: 'x'.repeat(43) })).status).toBe(404);
    expect((await call(own)).status).toBe(401);
    expect((await call(own, stranger.token)).status).toBe(404);
    expect((await call({})).status).toBe(422);
    expect((await call({ ...own, ...link })).status).toBe(422);
  }
  t.advance(7 * 24 * HOUR + 1000);
  expect((await undo(link)).errorCode).toBe('GONE');
  expect((await me(token)).data).toMatchObject({ phone: expect.any(String) });
});

test('without an old address the notice undoes a first one, and the password stays the owner’s', async () => {
  const { token, user } = await t.register();
  const thiefs = newEmail();
  await bind(thiefs, token);
  const own = await noticeId(token);
  expect((await look(own, token)).data).toMatchObject({ kind: 'email' });
  const undone = await undo(own, token);
  expect(undone).toMatchObject({ success: true, token: '', data: { reset: false } });
  expect((await me(token)).status).toBe(401);
  expect((await signIn(user.account)).data).toMatchObject({ email: null });
  expect(smtp.mails.filter(({ to }) => to === thiefs)).toEqual([]);
});

test('the first link undoes all that came after it', async () => {
  const { token, id, email } = await makeOwner();
  const [first, second] = [newEmail(), newEmail()];
  const phone = newPhone();
  await bind(first, token);
  const ownersLink = await linkIn(email, '绑定了邮箱');
  t.advance(61_000);
  await bind(phone, token);
  await bind(second, token);
  const before = await stored(id);
  expect((await undo(ownersLink)).data).toEqual({ reset: true });
  expect(await stored(id)).toMatchObject({ email, email_verified: true, phone: null });
  expect((await stored(id)).password_hash).not.toBe(before.password_hash);
  // Given up for good: it is free for whoever shows that it is theirs.
  const other = await t.register();
  await bind(first, other.token);
});

test('a change that the thief is about to make does not survive the link', async () => {
  const { token, id, email } = await makeOwner();
  await bind(newPhone(), token);
  const link = await linkIn(email, '绑定了手机号');
  const thiefs = newEmail();
  await askBind(thiefs, token);
  const code = await smtp.takeCode(thiefs);
  const made = { name: 'CI', scopes: ['essay:read'], days: null };
  const [undone] = await Promise.all([
    undo(link),
    enterBind(thiefs, code, token),
    t.call('POST core/user/token/', made, { token }),
    t.call(
      'PUT core/account/password',
      { oldPassword: PASSWORD, newPassword: 'chosen by a thief' },
      { token },
    ),
  ]);
  expect(undone.success).toBe(true);
  expect(await stored(id)).toMatchObject({ email, phone: null });
  expect((await signIn(email)).success).toBe(false);
  expect((await signIn(email, 'chosen by a thief')).success).toBe(false);
  const { rows } = await t.app.services.pool.query('select 1 from api_tokens where user_id = $1', [id]);
  expect(rows).toEqual([]);
  expect((await enterBind(thiefs, code, token)).status).toBe(401);
});

test('of two e-mails bound at once one is there, and each change knows what was before it', async () => {
  const { token, id, email } = await makeOwner();
  const targets = [newEmail(), newEmail()];
  for (const target of targets) await askBind(target, token);
  const codes = await Promise.all(targets.map((target) => smtp.takeCode(target)));
  const answers = await Promise.all(targets.map((target, i) => enterBind(target, codes[i] ?? '', token)));
  expect(answers.map(({ success, errorCode }) => (success ? 'bound' : errorCode)).sort()).toEqual([
    'WRONG_CODE',
    'bound',
  ]);
  const { rows } = await t.app.services.pool.query(
    `select old_value, new_value from account_changes where user_id = $1 and kind = 'email' and expires_at > $2`,
    [id, t.app.services.clock()],
  );
  expect(rows).toEqual([{ old_value: email, new_value: (await stored(id)).email }]);
});

test('two-factor of staff outlives the undoing: a mailbox alone opens no back office', async () => {
  const admin = await makeMember(t, 'super');
  const email = newEmail();
  await bind(email, admin.token);
  t.advance(25 * HOUR);
  const { token } = admin;
  await reauth(token);
  const { secret } = (await t.call('POST core/account/totp', {}, { token })).data;
  const code = new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
  expect((await t.call('PUT core/account/totp', { code }, { token })).success).toBe(true);
  const link = await linkIn(email, '开启了两步验证');
  expect((await undo(link)).data).toEqual({ reset: true });
  expect(await stored(admin.user.id)).toMatchObject({ totp_on: true });
  await t.call('POST core/account/reset', { account: email });
  const newPassword = 'the owner is back';
  await t.call('PUT core/account/reset', { account: email, code: await smtp.takeCode(email), newPassword });
  expect((await signIn(email, newPassword)).errorCode).toBe('TOTP_REQUIRED');
});

test('a page left open undoes nothing by itself', async () => {
  const { token, id } = await makeOwner();
  const mine = newEmail();
  await bind(mine, token);
  t.advance(11 * MINUTE);
  const change = { id: (await noticeId(token)).id };
  expect((await t.call('PUT core/account/change', change, { token })).errorCode).toBe('REAUTH_REQUIRED');
  expect(await stored(id)).toMatchObject({ email: mine });
  await reauth(token);
  expect((await t.call('PUT core/account/change', change, { token })).success).toBe(true);
});

test('undoing one change of a session undoes all of them, whichever link is used', async () => {
  const { token, id, email } = await makeOwner();
  await bind(newPhone(), token);
  t.advance(61_000);
  await bind(newEmail(), token);
  expect((await undo(await linkIn(email, '绑定了邮箱'))).success).toBe(true);
  expect(await stored(id)).toMatchObject({ email, phone: null });
});

test('an address added a moment ago is told of changes, but gets no link to undo them', async () => {
  const { token, email } = await makeOwner();
  const thiefs = newEmail();
  await bind(thiefs, token);
  t.advance(61_000);
  await bind(email, token);
  const mail = await smtp.take(thiefs, '绑定了邮箱');
  expect(mail).toContain('请马上登录并修改密码');
  expect(mail).not.toContain('not-me');
});

test('staff who change their own e-mail and password by the back office are told at the old address', async () => {
  const admin = await makeMember(t, 'super');
  const email = newEmail();
  await bind(email, admin.token);
  t.advance(25 * HOUR);
  const { token } = admin;
  await reauth(token);
  const change = { id: admin.user.id, account: newEmail(), password: 'chosen by a thief' };
  expect((await t.call('PUT core/sys/account/', change, { token })).success).toBe(true);
  expect((await undo(await linkIn(email, '绑定了邮箱'))).data).toEqual({ reset: true });
  expect(await stored(admin.user.id)).toMatchObject({ email, email_verified: true });
  expect((await signIn(email, 'chosen by a thief')).success).toBe(false);
});

test('a new API token and a new password are told as well', async () => {
  const { token, email } = await makeOwner();
  await t.call('POST core/user/token/', { name: '持续集成', scopes: ['essay:read'], days: 30 }, { token });
  expect((await look(await linkIn(email, '新建了 API 令牌'))).data).toMatchObject({
    kind: 'token',
    value: '持续集成',
  });
  await t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'one of my own' },
    { token },
  );
  const link = await linkIn(email, '修改了密码');
  expect((await undo(link)).success).toBe(true);
  expect((await signIn(email, 'one of my own')).success).toBe(false);
});

test('an e-mail that was registered with and never verified gets no link: it may be a stranger’s', async () => {
  const typo = newEmail();
  const { token } = await t.register(typo);
  const right = newEmail();
  await bind(right, token);
  expect((await noticeId(token)).id).not.toBe('');
  t.advance(61_000);
  await t.call('POST core/account/code', { purpose: 'login', target: right });
  await smtp.takeCode(right);
  expect(smtp.mails.filter(({ to }) => to === typo)).toEqual([]);
});

test('verifying the e-mail one registered with is no change', async () => {
  const email = newEmail();
  const { token, user } = await t.register(email);
  await bind(email, token);
  expect(await stored(user.id)).toMatchObject({ email, email_verified: true, email_added_at: null });
  expect((await noticeId(token)).id).toBe('');
});

test('nobody registers with an address that its owner may still get back', async () => {
  const { token, email } = await makeOwner();
  await bind(newEmail(), token);
  const again = { account: email, password: PASSWORD };
  expect((await t.call('POST core/user/', again)).errorCode).toBe('ACCOUNT_TAKEN');
  expect((await undo(await linkIn(email, '绑定了邮箱'))).data).toEqual({ reset: true });
});

test('for a day no password is reset through an added address, and its mail says why', async () => {
  const { token, user } = await t.register();
  const [email, phone] = [newEmail(), newPhone()];
  await bind(email, token);
  t.advance(61_000);
  await bind(phone, token);
  t.advance(23 * HOUR);
  for (const account of [email, user.account, phone])
    expect((await t.call('POST core/account/reset', { account })).success).toBe(true);
  expect(await smtp.take(email, '不满 24 小时')).not.toMatch(/\b\d{6}\b/);
  const newPassword = 'chosen by a thief';
  for (const account of [email, phone])
    expect((await t.call('PUT core/account/reset', { account, code: '000000', newPassword })).errorCode).toBe(
      'WRONG_CODE',
    );
  expect(aliyun.sent.filter(({ to }) => to === phone)).toEqual([]);
  t.advance(24 * HOUR);
  await t.call('POST core/account/reset', { account: phone });
  const code = await aliyun.takeCode(phone);
  expect((await t.call('PUT core/account/reset', { account: phone, code, newPassword })).success).toBe(true);
});

test('a reset code that was on its way to the old address ends with the address', async () => {
  const { token, email } = await makeOwner();
  await t.call('POST core/account/reset', { account: email });
  const code = await smtp.takeCode(email);
  const thiefs = newEmail();
  await bind(thiefs, token);
  const newPassword = 'chosen by a thief';
  expect((await t.call('PUT core/account/reset', { account: thiefs, code, newPassword })).errorCode).toBe(
    'WRONG_CODE',
  );
});

test('what was told is forgotten after its time', async () => {
  const { token, id } = await makeOwner();
  await bind(newPhone(), token);
  t.advance(8 * 24 * HOUR);

  await jobs['expire-sign-ins']?.(systemCtx(t.app.services), {});
  const { rows } = await t.app.services.pool.query('select 1 from account_changes where user_id = $1', [id]);
  expect(rows).toEqual([]);
});
