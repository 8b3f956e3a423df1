import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { randomPhone, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, type TestApp, uniqueName } from '../../../testing/app.ts';
import { type AppWithGateways, startAppWithGateways } from '../../../testing/app-with-gateways.ts';
import { createWriter } from '../../../testing/essays.ts';
import type { TestSmtp } from '../../../testing/smtp.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let smtp: TestSmtp;
let aliyun: TestAliyunSms;
let t: TestApp;
let close: AppWithGateways['close'];
beforeAll(async () => {
  ({ t, smtp, aliyun, close } = await startAppWithGateways());
});
afterAll(() => close());

const newEmail = () => `${uniqueName()}@example.com`;
const requestBindCode = (target: string, token: string) =>
  t.call('POST core/account/code', { purpose: 'bind', target }, { token });
const submitBindCode = (target: string, code: string, token: string) =>
  t.call('PUT core/account/code', { purpose: 'bind', target, code }, { token });
async function bind(target: string, token: string): Promise<void> {
  await requestBindCode(target, token);
  const code = target.includes('@') ? await smtp.waitForCode(target) : await aliyun.waitForCode(target);
  const { success, errorCode } = await submitBindCode(target, code, token);
  if (!success) throw new Error(errorCode);
}
const reauth = (token: string) =>
  t.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { token });
const getChange = (ref: object, token?: string) => t.call('POST core/account/change', ref, { token });
const undo = (ref: object, token?: string) => t.call('PUT core/account/change', ref, { token });
const me = (token: string) => t.call('GET core/user/', {}, { token });
const signIn = (account: string, password = PASSWORD) =>
  t.call('POST core/account/login', { account, password });
const stored = async (userId: string) =>
  (await t.app.services.pool.query('select * from accounts where user_id = $1', [userId])).rows[0];

/** Returns the token of the undo link in the mail. */
async function readUndoLink(to: string, word: string): Promise<{ token: string }> {
  const body = await smtp.waitForMail(to, word);
  const token = body.match(/http:\/\/site\.test\/login\.html\?mode=not-me#([\w-]{43})\s/)?.[1];
  if (token === undefined) throw new Error(`no link in: ${body}`);
  return { token };
}

/** Returns the change id of the newest notice. */
async function noticeId(token: string): Promise<{ id: string }> {
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  const url = data.list.find(({ target }) => target?.url.includes('not-me'))?.target?.url ?? '';
  return { id: url.replace('/login.html?mode=not-me&id=', '') };
}

/** The owner sets a new password by a code and signs in. */
async function resetAndSignIn(email: string) {
  await t.call('POST core/account/reset', { account: email });
  const code = await smtp.waitForCode(email);
  const newPassword = 'the owner is back';
  await t.call('PUT core/account/reset', { account: email, code, newPassword });
  return signIn(email, newPassword);
}

/** A writer whose e-mail was bound long ago, freshly re-authenticated. */
async function makeOwner() {
  const { token, user } = await createWriter(t);
  const email = newEmail();
  await bind(email, token);
  t.advance(8 * 24 * HOUR);
  await reauth(token);
  return { token, id: user.id, account: user.account, email };
}

/** An administrator whose e-mail was bound a day ago, freshly re-authenticated. */
async function makeStaffOwner() {
  const { token, user } = await createStaffWithRole(t, 'super');
  const email = newEmail();
  await bind(email, token);
  t.advance(25 * HOUR);
  await reauth(token);
  return { token, id: user.id, email };
}

/** Switches two-factor on and returns a function that creates a code. */
async function switchTotpOn(token: string): Promise<() => string> {
  const { secret } = (await t.call('POST core/account/totp', {}, { token })).data;
  const createCode = () => new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
  expect((await t.call('PUT core/account/totp', { code: createCode() }, { token })).success).toBe(true);
  return createCode;
}

test('mails an e-mail change to the old address only; its link undoes everything, once', async () => {
  const { token, id, account, email } = await makeOwner();
  const made = { name: 'CI', scopes: ['essay:read'], days: 30 };
  const apiToken = (await t.call('POST core/user/token/', made, { token })).data.token;
  const second = (await signIn(account)).token ?? '';
  const thiefs = newEmail();
  await bind(thiefs, token);
  const link = await readUndoLink(email, '绑定了邮箱');
  expect((await me(token)).data).toMatchObject({ email: thiefs });
  const { rows } = await t.app.services.pool.query('select * from account_changes where user_id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(link.token);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(JSON.stringify(notices.data)).not.toContain(link.token);
  expect(JSON.stringify(notices.data)).toContain('绑定了邮箱 u***@example.com');

  // Opening the link alone, as mail scanners do, changes nothing.
  for (let i = 0; i < 2; i++)
    expect((await getChange(link)).data).toMatchObject({ kind: 'email', value: 'u***@example.com' });
  expect((await me(token)).data).toMatchObject({ email: thiefs });

  const responses = await Promise.all([undo(link), undo(link), undo(link)]);
  expect(responses.map(({ success, errorCode }) => (success ? 'undone' : errorCode)).sort()).toEqual([
    'GONE',
    'GONE',
    'undone',
  ]);
  expect(responses.find(({ success }) => success)?.data).toEqual({ reset: true });
  for (const each of [token, second]) expect((await me(each)).status).toBe(401);
  expect((await t.call('GET core/essay/', { mine: 1 }, { token: apiToken })).status).toBe(401);
  expect((await getChange(link)).errorCode).toBe('GONE');

  // The password is invalid; the old address can set a new one.
  expect((await signIn(account)).errorCode).toBe('WRONG_PASSWORD');
  await t.call('POST core/account/reset', { account });
  const code = await smtp.waitForCode(email);
  const newPassword = 'the owner is back';
  expect((await t.call('PUT core/account/reset', { account, code, newPassword })).success).toBe(true);
  const back = await signIn(account, newPassword);
  expect(back.data).toMatchObject({ id, email });

  // The same change is locked for a day.
  expect((await requestBindCode(newEmail(), back.token ?? '')).errorCode).toBe('CHANGE_LOCKED');
  expect((await requestBindCode(randomPhone(), back.token ?? '')).success).toBe(true);
  t.advance(24 * HOUR + 1000);
  const later = (await signIn(account, newPassword)).token ?? '';
  expect((await requestBindCode(newEmail(), later)).success).toBe(true);
  expect(smtp.mails.filter(({ to }) => to === thiefs)).toEqual([]);
});

test('accepts an undo link for seven days; rejects wrong links and changes of others', async () => {
  const { token, email } = await makeOwner();
  await bind(randomPhone(), token);
  const link = await readUndoLink(email, '绑定了手机号');
  const own = await noticeId(token);
  const stranger = await t.register();
  for (const call of [getChange, undo]) {
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

test('undoes a first e-mail by the notice and keeps the password', async () => {
  const { token, user } = await t.register();
  const thiefs = newEmail();
  await bind(thiefs, token);
  const own = await noticeId(token);
  expect((await getChange(own, token)).data).toMatchObject({ kind: 'email' });
  const undone = await undo(own, token);
  expect(undone).toMatchObject({ success: true, token: '', data: { reset: false } });
  expect((await me(token)).status).toBe(401);
  expect((await signIn(user.account)).data).toMatchObject({ email: null });
  expect(smtp.mails.filter(({ to }) => to === thiefs)).toEqual([]);
});

test('undoes all later changes by the first link', async () => {
  const { token, id, email } = await makeOwner();
  const [first, second] = [newEmail(), newEmail()];
  const phone = randomPhone();
  await bind(first, token);
  const ownersLink = await readUndoLink(email, '绑定了邮箱');
  t.advance(61_000);
  await bind(phone, token);
  await bind(second, token);
  const before = await stored(id);
  expect((await undo(ownersLink)).data).toEqual({ reset: true });
  expect(await stored(id)).toMatchObject({ email, email_verified: true, phone: null });
  expect((await stored(id)).password_hash).not.toBe(before.password_hash);
  // The address is free for whoever can verify it.
  const other = await t.register();
  await bind(first, other.token);
});

test('rejects a change that is in progress while the link is used', async () => {
  const { token, id, email } = await makeOwner();
  await bind(randomPhone(), token);
  const link = await readUndoLink(email, '绑定了手机号');
  const thiefs = newEmail();
  await requestBindCode(thiefs, token);
  const code = await smtp.waitForCode(thiefs);
  const made = { name: 'CI', scopes: ['essay:read'], days: null };
  const [undone] = await Promise.all([
    undo(link),
    submitBindCode(thiefs, code, token),
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
  expect((await submitBindCode(thiefs, code, token)).status).toBe(401);
});

test('records the previous e-mail of each of two concurrent changes', async () => {
  const { token, id, email } = await makeOwner();
  const targets = [newEmail(), newEmail()];
  for (const target of targets) await requestBindCode(target, token);
  const codes = await Promise.all(targets.map((target) => smtp.waitForCode(target)));
  const responses = await Promise.all(
    targets.map((target, i) => submitBindCode(target, codes[i] ?? '', token)),
  );
  expect(responses.map(({ success, errorCode }) => (success ? 'bound' : errorCode)).sort()).toEqual([
    'WRONG_CODE',
    'bound',
  ]);
  const { rows } = await t.app.services.pool.query(
    `select old_value, new_value from account_changes where user_id = $1 and kind = 'email' and expires_at > $2`,
    [id, t.app.services.clock()],
  );
  expect(rows).toEqual([{ old_value: email, new_value: (await stored(id)).email }]);
});

test('keeps two-factor of staff when a change is undone', async () => {
  const { token, id, email } = await makeStaffOwner();
  await switchTotpOn(token);
  const link = await readUndoLink(email, '开启了两步验证');
  expect((await undo(link)).data).toEqual({ reset: true });
  expect(await stored(id)).toMatchObject({ totp_on: true });
  expect((await resetAndSignIn(email)).errorCode).toBe('TOTP_REQUIRED');
});

test('locks an undone removal of two-factor for a day', async () => {
  const { token, email } = await makeStaffOwner();
  const switchOff = (code: string, token: string) => t.call('DELETE core/account/totp', { code }, { token });
  const createCode = await switchTotpOn(token);
  t.advance(8 * 24 * HOUR);
  const proof = { method: 'password', password: PASSWORD, totp: createCode() };
  await t.call('POST core/account/reauth', proof, { token });
  t.advance(MINUTE);
  expect((await switchOff(createCode(), token)).success).toBe(true);
  expect((await undo(await readUndoLink(email, '关闭了两步验证'))).success).toBe(true);
  const back = (await resetAndSignIn(email)).token ?? '';
  t.advance(MINUTE);
  const createNewCode = await switchTotpOn(back);
  t.advance(MINUTE);
  expect((await switchOff(createNewCode(), back)).errorCode).toBe('CHANGE_LOCKED');
});

test('requires re-authentication to undo a change in a session', async () => {
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

test('undoes all changes of a session by any of their links', async () => {
  const { token, id, email } = await makeOwner();
  await bind(randomPhone(), token);
  t.advance(61_000);
  await bind(newEmail(), token);
  expect((await undo(await readUndoLink(email, '绑定了邮箱'))).success).toBe(true);
  expect(await stored(id)).toMatchObject({ email, phone: null });
});

test('mails changes to a newly added address without an undo link', async () => {
  const { token, email } = await makeOwner();
  const thiefs = newEmail();
  await bind(thiefs, token);
  t.advance(61_000);
  await bind(email, token);
  const mail = await smtp.waitForMail(thiefs, '绑定了邮箱');
  expect(mail).toContain('请马上登录并修改密码');
  expect(mail).not.toContain('not-me');
});

test('mails the old address when staff change their own e-mail and password in the back office', async () => {
  const { token, id, email } = await makeStaffOwner();
  const change = { id, account: newEmail(), password: 'chosen by a thief' };
  expect((await t.call('PUT core/sys/account/', change, { token })).success).toBe(true);
  expect((await undo(await readUndoLink(email, '绑定了邮箱'))).data).toEqual({ reset: true });
  expect(await stored(id)).toMatchObject({ email, email_verified: true });
  expect((await signIn(email, 'chosen by a thief')).success).toBe(false);
  const back = await resetAndSignIn(email);
  const again = await t.call('PUT core/sys/account/', { id, account: newEmail() }, { token: back.token });
  expect(again.errorCode).toBe('CHANGE_LOCKED');
});

test('mails new API tokens and password changes too', async () => {
  const { token, email } = await makeOwner();
  const made = { name: '持续集成', scopes: ['essay:read'], days: 30 };
  await t.call('POST core/user/token/', made, { token });
  expect((await getChange(await readUndoLink(email, '新建了 API 令牌'))).data).toMatchObject({
    kind: 'token',
    value: '持续集成',
  });
  await t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'one of my own' },
    { token },
  );
  const link = await readUndoLink(email, '修改了密码');
  expect((await undo(link)).success).toBe(true);
  expect((await signIn(email, 'one of my own')).success).toBe(false);
  const back = await resetAndSignIn(email);
  expect((await t.call('POST core/user/token/', made, { token: back.token })).errorCode).toBe(
    'CHANGE_LOCKED',
  );
});

test('sends no undo link to an unverified e-mail', async () => {
  const typo = newEmail();
  const { token } = await t.register(typo);
  const right = newEmail();
  await bind(right, token);
  expect((await noticeId(token)).id).not.toBe('');
  t.advance(61_000);
  await t.call('POST core/account/code', { purpose: 'login', target: right });
  await smtp.waitForCode(right);
  expect(smtp.mails.filter(({ to }) => to === typo)).toEqual([]);
});

test('does not record the verification of the registered e-mail as a change', async () => {
  const email = newEmail();
  const { token, user } = await t.register(email);
  await bind(email, token);
  expect(await stored(user.id)).toMatchObject({ email, email_verified: true, email_added_at: null });
  expect((await noticeId(token)).id).toBe('');
});

test('refuses to register an address that its owner can still restore', async () => {
  const { token, email } = await makeOwner();
  await bind(newEmail(), token);
  const again = { account: email, password: PASSWORD };
  expect((await t.call('POST core/user/', again)).errorCode).toBe('ACCOUNT_TAKEN');
  expect((await undo(await readUndoLink(email, '绑定了邮箱'))).data).toEqual({ reset: true });
});

test('refuses a password reset by an address added within a day and explains it by mail', async () => {
  const { token, user } = await t.register();
  const [email, phone] = [newEmail(), randomPhone()];
  await bind(email, token);
  t.advance(61_000);
  await bind(phone, token);
  t.advance(23 * HOUR);
  for (const account of [email, user.account, phone])
    expect((await t.call('POST core/account/reset', { account })).success).toBe(true);
  expect(await smtp.waitForMail(email, '不满 24 小时')).not.toMatch(/\b\d{6}\b/);
  const newPassword = 'chosen by a thief';
  for (const account of [email, phone])
    expect((await t.call('PUT core/account/reset', { account, code: '000000', newPassword })).errorCode).toBe(
      'WRONG_CODE',
    );
  expect(aliyun.sent.filter(({ to }) => to === phone)).toEqual([]);
  t.advance(24 * HOUR);
  await t.call('POST core/account/reset', { account: phone });
  const code = await aliyun.waitForCode(phone);
  expect((await t.call('PUT core/account/reset', { account: phone, code, newPassword })).success).toBe(true);
});

test('invalidates a pending reset code when the address changes', async () => {
  const { token, email } = await makeOwner();
  await t.call('POST core/account/reset', { account: email });
  const code = await smtp.waitForCode(email);
  const thiefs = newEmail();
  await bind(thiefs, token);
  const newPassword = 'chosen by a thief';
  expect((await t.call('PUT core/account/reset', { account: thiefs, code, newPassword })).errorCode).toBe(
    'WRONG_CODE',
  );
});

test('invalidates codes sent to an address when its addition is undone', async () => {
  const { token, email } = await makeOwner();
  const thiefs = newEmail();
  await bind(thiefs, token);
  const link = await readUndoLink(email, '绑定了邮箱');
  t.advance(25 * HOUR);
  await t.call('POST core/account/reset', { account: thiefs });
  const code = await smtp.waitForCode(thiefs);
  expect((await undo(link)).success).toBe(true);
  const newPassword = 'chosen by a thief';
  expect((await t.call('PUT core/account/reset', { account: email, code, newPassword })).errorCode).toBe(
    'WRONG_CODE',
  );
});

test('deletes changes after they expire', async () => {
  const { token, id } = await makeOwner();
  await bind(randomPhone(), token);
  t.advance(8 * 24 * HOUR);

  await jobs['expire-sign-ins']?.(systemCtx(t.app.services), {});
  const { rows } = await t.app.services.pool.query('select 1 from account_changes where user_id = $1', [id]);
  expect(rows).toEqual([]);
});
