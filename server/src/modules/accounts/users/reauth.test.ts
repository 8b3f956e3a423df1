import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomPhone, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { type AppWithGateways, startAppWithGateways } from '../../../testing/app-with-gateways.ts';
import { createWriter } from '../../../testing/essays.ts';
import type { TestSmtp } from '../../../testing/smtp.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';

const MINUTE = 60_000;

let smtp: TestSmtp;
let aliyun: TestAliyunSms;
let t: TestApp;
let close: AppWithGateways['close'];
beforeAll(async () => {
  ({ t, smtp, aliyun, close } = await startAppWithGateways());
});
afterAll(() => close());

const newEmail = () => `${uniqueName()}@example.com`;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const requestBindCode = (target: string, token?: string) =>
  t.call('POST core/account/code', { purpose: 'bind', target }, { token });
const bind = (target: string, code: string, token?: string) =>
  t.call('PUT core/account/code', { purpose: 'bind', target, code }, { token });
const reauth = (input: object, token?: string, address?: string) =>
  t.call('POST core/account/reauth', input, { token, ...(address === undefined ? {} : { address }) });
const byPassword = (token?: string, password = PASSWORD) => reauth({ method: 'password', password }, token);
const newToken = (token?: string, more: object = {}) =>
  t.call('POST core/user/token/', { name: 'CI', scopes: ['essay:read'], days: 30, ...more }, { token });
const signIn = async (account: string, password = PASSWORD) =>
  (await t.call('POST core/account/login', { account, password })).token ?? '';

/** A user who signed in long ago and has a trusted e-mail. */
async function makeOwner(): Promise<{ token: string; id: string; account: string; email: string }> {
  const { token, user } = await t.register();
  const email = newEmail();
  await requestBindCode(email, token);
  await bind(email, await smtp.waitForCode(email), token);
  t.advance(25 * 60 * MINUTE);
  return { token, id: user.id, account: user.account, email };
}

test('requires re-authentication for credential changes ten minutes after sign-in', async () => {
  const writer = await createWriter(t);
  const admin = await createStaffWithRole(t, 'super');
  t.advance(10 * MINUTE);
  const { token } = writer;
  const refused = { status: 200, success: false, errorCode: 'REAUTH_REQUIRED' };
  expect(await requestBindCode(newEmail(), token)).toMatchObject(refused);
  expect(await requestBindCode(randomPhone(), token)).toMatchObject(refused);
  expect(await bind(newEmail(), '123456', token)).toMatchObject(refused);
  expect(await newToken(token)).toMatchObject(refused);
  expect(await t.call('POST core/account/totp', {}, { token: admin.token })).toMatchObject(refused);
  const withdrawal = { amount: 10_000, account: 'thief@alipay.test' };
  expect(await t.call('POST core/user/withdraw', withdrawal, { token })).toMatchObject(refused);
  const self = { id: admin.user.id, password: 'chosen by a thief' };
  expect(await t.call('PUT core/sys/account/', self, { token: admin.token })).toMatchObject(refused);
  expect(
    await t.call('PUT core/sys/account/', { id: admin.user.id, account: newEmail() }, admin),
  ).toMatchObject(refused);
  expect(aliyun.sent).toEqual([]);
  expect(smtp.mails).toEqual([]);
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ email: null, phone: null });

  // Changing another account needs only the permission.
  const somebody = await t.register();
  const others = { id: somebody.user.id, password: 'set by an operator' };
  expect((await t.call('PUT core/sys/account/', others, { token: admin.token })).success).toBe(true);
});

test('re-authenticates by password for ten minutes and one session, also with a renewed token', async () => {
  const { token, user } = await createWriter(t);
  t.advance(23 * 60 * MINUTE);
  const second = await signIn(user.account);
  t.advance(MINUTE * 55);
  expect((await byPassword()).status).toBe(401);
  expect(await byPassword(token, 'not the password')).toMatchObject({
    status: 401,
    errorCode: 'WRONG_PASSWORD',
    fields: { password: '密码不对' },
  });
  expect((await newToken(token)).errorCode).toBe('REAUTH_REQUIRED');
  const { data } = await byPassword(token);
  const lasts = new Date(data.until).getTime() - t.app.services.clock().getTime();
  expect(lasts).toBeGreaterThan(9 * MINUTE);
  expect(lasts).toBeLessThanOrEqual(10 * MINUTE);
  expect((await newToken(second)).errorCode).toBe('REAUTH_REQUIRED');
  expect((await newToken(token)).success).toBe(true);

  // The token is renewed after a day; the session stays the same.
  t.advance(6 * MINUTE);
  const renewed = (await t.call('GET core/user/', {}, { token })).token;
  expect(renewed).toMatch(/^.{43}$/);
  expect((await newToken(renewed)).success).toBe(true);
  t.advance(4 * MINUTE + 1000);
  expect((await newToken(renewed)).errorCode).toBe('REAUTH_REQUIRED');
});

test('refuses re-authentication with an API token', async () => {
  const { token } = await createWriter(t);
  const made = await newToken(token);
  for (const call of ['GET core/account/reauth', 'POST core/account/reauth'] as const)
    expect((await t.call(call, { method: 'password', password: PASSWORD }, made.data)).status).toBe(403);
});

test('re-authenticates by a code to a known e-mail or phone only', async () => {
  const { token, id, account, email } = await makeOwner();
  const ask = (target: string, from?: string) =>
    t.call('POST core/account/code', { purpose: 'reauth', target }, { token: from });
  expect((await ask(email)).status).toBe(401);
  expect((await ask(newEmail(), token)).fields).toHaveProperty('target');
  expect((await t.call('GET core/account/reauth', {}, { token })).data).toEqual({
    account,
    methods: ['password', 'code'],
    targets: [email],
    totp: false,
    until: null,
  });
  expect((await ask(email, token)).success).toBe(true);
  const code = await smtp.waitForCode(email);
  const use = (input: object, from = token) =>
    reauth({ method: 'code', target: email, code, ...input }, from);
  expect((await use({ code: other(code) })).errorCode).toBe('WRONG_CODE');
  expect((await use({ target: newEmail() })).fields).toHaveProperty('target');
  const stranger = await t.register();
  expect((await use({}, stranger.token)).fields).toHaveProperty('target');
  const signedIn = await t.call('PUT core/account/code', { purpose: 'login', target: email, code });
  expect(signedIn.errorCode, 'the code cannot be used to sign in').toBe('WRONG_CODE');
  const responses = await Promise.all([use({}), use({})]);
  expect(responses.filter(({ success }) => success)).toHaveLength(1);

  const phone = randomPhone();
  await requestBindCode(phone, token);
  expect((await bind(phone, await aliyun.waitForCode(phone), token)).data).toMatchObject({ id, phone });
  t.advance(11 * MINUTE);
  expect((await ask(phone, token)).fields, 'added within a day').toHaveProperty('target');
  expect((await t.call('GET core/account/reauth', {}, { token })).data.targets).toEqual([email]);
  await t.call('POST core/account/code', { purpose: 'login', target: phone });
  const byNewPhone = await t.call('PUT core/account/code', {
    purpose: 'login',
    target: phone,
    code: await aliyun.waitForCode(phone),
  });
  expect((await requestBindCode(newEmail(), byNewPhone.token)).errorCode).toBe('REAUTH_REQUIRED');
  t.advance(24 * 60 * MINUTE);
  expect((await ask(phone, token)).success).toBe(true);
  expect(
    (await reauth({ method: 'code', target: phone, code: await aliyun.waitForCode(phone) }, token)).success,
  ).toBe(true);
  expect((await requestBindCode(newEmail(), token)).success).toBe(true);
});

test('sends no code to an unverified e-mail', async () => {
  const email = newEmail();
  const { token } = await t.register(email);
  const asked = await t.call('POST core/account/code', { purpose: 'reauth', target: email }, { token });
  expect(asked.fields).toHaveProperty('target');
  expect((await t.call('GET core/account/reauth', {}, { token })).data).toMatchObject({
    methods: ['password'],
  });
});

test('requires two-factor for every method, also when a call contains the password', async () => {
  const admin = await createStaffWithRole(t, 'super');
  await t.app.services.pool.query('update users set cur_identity = 2 where id = $1', [admin.user.id]);
  const { token } = admin;
  const { secret } = (await t.call('POST core/account/totp', {}, { token })).data;
  const number = () => new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
  expect((await t.call('PUT core/account/totp', { code: number() }, { token })).success).toBe(true);
  t.advance(11 * MINUTE);
  expect((await t.call('DELETE core/account/totp', { code: number() }, { token })).errorCode).toBe(
    'REAUTH_REQUIRED',
  );
  expect((await newToken(token, { password: PASSWORD })).errorCode).toBe('REAUTH_REQUIRED');
  expect((await byPassword(token)).errorCode).toBe('TOTP_REQUIRED');
  const wrong = { method: 'password', password: PASSWORD, totp: other(number()) };
  expect((await reauth(wrong, token)).errorCode).toBe('WRONG_TOTP');
  expect((await reauth({ ...wrong, totp: number() }, token)).success).toBe(true);
  t.advance(MINUTE);
  expect((await newToken(token)).success).toBe(true);
  expect((await t.call('DELETE core/account/totp', { code: number() }, { token })).success).toBe(true);
});

test('counts wrong passwords as failed sign-ins in every call that accepts one', async () => {
  const { token, user } = await createWriter(t);
  t.advance(11 * MINUTE);
  for (let i = 0; i < 7; i++) {
    await byPassword(token, `attempt ${i}`);
    await newToken(token, { password: `attempt ${i}` });
    await t.call(
      'PUT core/account/password',
      { oldPassword: `attempt ${i}`, newPassword: 'whatever it is' },
      {
        token,
      },
    );
  }
  expect(await byPassword(token)).toMatchObject({ status: 429, errorCode: 'ACCOUNT_LOCKED' });
  expect((await newToken(token, { password: PASSWORD })).errorCode).toBe('ACCOUNT_LOCKED');
  const change = { oldPassword: PASSWORD, newPassword: 'whatever it is' };
  expect((await t.call('PUT core/account/password', change, { token })).errorCode).toBe('ACCOUNT_LOCKED');
  const login = { account: user.account, password: PASSWORD };
  expect((await t.call('POST core/account/login', login)).errorCode).toBe('ACCOUNT_LOCKED');
  t.advance(15 * MINUTE + 1000);
  expect((await byPassword(token)).success).toBe(true);

  const strict = await startTestApp({ runsJobs: true, sameDatabaseAs: t, config: { challenge: true } });
  const attempt = () =>
    strict.call(
      'POST core/account/reauth',
      { method: 'password', password: 'wrong' },
      { token, address: '198.51.100.7' },
    );
  for (let i = 0; i < 5; i++) expect((await attempt()).errorCode).toBe('WRONG_PASSWORD');
  expect((await attempt()).errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('checks at most twenty concurrent attempts', async () => {
  const { token } = await t.register();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => byPassword(token, `attempt ${i}`)),
  );
  expect(responses.filter(({ errorCode }) => errorCode === 'WRONG_PASSWORD')).toHaveLength(20);
});

test('accepts the password in the call that creates an API token', async () => {
  const { token } = await createWriter(t);
  t.advance(11 * MINUTE);
  expect((await newToken(token, { password: 'not it' })).fields?.password).toBe('密码不对');
  expect((await newToken(token, { password: PASSWORD })).success).toBe(true);
});

test('does not treat a QR sign-in as re-authentication', async () => {
  const { token } = await t.register();
  const { data } = await t.call('GET core/user/qrcode/login');
  for (const action of ['scan', 'confirm'])
    await t.call('PUT core/user/qrcode/login', { ticket: data.ticket, action }, { token });
  const { ticket, secret } = data;
  const thief = (await t.call('POST core/user/login/qrcode', { ticket, secret })).token;
  expect((await t.call('GET core/user/', {}, { token: thief })).success).toBe(true);
  expect((await requestBindCode(newEmail(), thief)).errorCode).toBe('REAUTH_REQUIRED');
  expect((await t.call('DELETE core/account/', {}, { token: thief })).status).toBe(403);
  expect((await byPassword(thief)).success).toBe(true);
  expect((await t.call('DELETE core/account/', {}, { token: thief })).success).toBe(true);
});

test('fails when the session ends during re-authentication', async () => {
  const { token, user } = await createWriter(t);
  t.advance(11 * MINUTE);
  const second = await signIn(user.account);
  const [response] = await Promise.all([
    byPassword(token),
    t.call('DELETE core/account/login', { all: 1 }, { token: second }),
  ]);
  expect([200, 401]).toContain(response.status);
  expect((await newToken(token)).status).toBe(401);
});

test('fails when the password changes during re-authentication', async () => {
  const { token, user } = await createWriter(t);
  t.advance(11 * MINUTE);
  const client = await t.app.services.pool.connect();
  await client.query('begin');
  await client.query(`update accounts set password_hash = 'another' where user_id = $1`, [user.id]);
  const response = byPassword(token);
  await expect
    .poll(() =>
      t.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from "accounts"%'`),
    )
    .toHaveLength(1);
  await client.query('commit');
  client.release();
  expect((await response).errorCode).toBe('WRONG_PASSWORD');
  expect((await newToken(token)).errorCode).toBe('REAUTH_REQUIRED');
});

test('rejects an unknown method with a message', async () => {
  const { token } = await t.register();
  for (const input of [{}, { method: 'passkey' }, { method: 'password' }, { method: 'code', code: '123456' }])
    expect(await reauth(input, token)).toMatchObject({ status: 422, errorCode: 'INVALID' });
});
