import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AliyunSms, newPhone } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { makeWriter } from '../../../testing/essays.ts';
import { type ReachableApp, startReachableApp } from '../../../testing/reachable.ts';
import type { Smtp } from '../../../testing/smtp.ts';
import { makeMember } from '../../../testing/staff.ts';

const MINUTE = 60_000;

let smtp: Smtp;
let aliyun: AliyunSms;
let t: TestApp;
let close: ReachableApp['close'];
beforeAll(async () => {
  ({ t, smtp, aliyun, close } = await startReachableApp());
});
afterAll(() => close());

const newEmail = () => `${uniqueName()}@example.com`;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const askBind = (target: string, token?: string) =>
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

/** Somebody who signed in long ago, with an e-mail that has been theirs for a while. */
async function makeOwner(): Promise<{ token: string; id: string; account: string; email: string }> {
  const { token, user } = await t.register();
  const email = newEmail();
  await askBind(email, token);
  await bind(email, await smtp.takeCode(email), token);
  t.advance(25 * 60 * MINUTE);
  return { token, id: user.id, account: user.account, email };
}

test('ten minutes after sign-in every change of what signs one in asks again, and keeps what was there', async () => {
  const writer = await makeWriter(t);
  const admin = await makeMember(t, 'super');
  t.advance(10 * MINUTE);
  const { token } = writer;
  const refused = { status: 200, success: false, errorCode: 'REAUTH_REQUIRED' };
  expect(await askBind(newEmail(), token)).toMatchObject(refused);
  expect(await askBind(newPhone(), token)).toMatchObject(refused);
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

  // Of somebody else it takes the permission only.
  const somebody = await t.register();
  const others = { id: somebody.user.id, password: 'set by an operator' };
  expect((await t.call('PUT core/sys/account/', others, { token: admin.token })).success).toBe(true);
});

test('the password opens it for ten minutes and this session only; a renewed token keeps it', async () => {
  const { token, user } = await makeWriter(t);
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

  // A day after sign-in the token is replaced; the session stays the same.
  t.advance(6 * MINUTE);
  const renewed = (await t.call('GET core/user/', {}, { token })).token;
  expect(renewed).toMatch(/^.{43}$/);
  expect((await newToken(renewed)).success).toBe(true);
  t.advance(4 * MINUTE + 1000);
  expect((await newToken(renewed)).errorCode).toBe('REAUTH_REQUIRED');
});

test('an API token neither re-authenticates nor needs to be told how', async () => {
  const { token } = await makeWriter(t);
  const made = await newToken(token);
  for (const call of ['GET core/account/reauth', 'POST core/account/reauth'] as const)
    expect((await t.call(call, { method: 'password', password: PASSWORD }, made.data)).status).toBe(403);
});

test('a code to the e-mail or phone the account had opens it; one to anything else does not', async () => {
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
  const code = await smtp.takeCode(email);
  const use = (input: object, from = token) =>
    reauth({ method: 'code', target: email, code, ...input }, from);
  expect((await use({ code: other(code) })).errorCode).toBe('WRONG_CODE');
  expect((await use({ target: newEmail() })).fields).toHaveProperty('target');
  const stranger = await t.register();
  expect((await use({}, stranger.token)).fields).toHaveProperty('target');
  const signedIn = await t.call('PUT core/account/code', { purpose: 'login', target: email, code });
  expect(signedIn.errorCode, 'it signs nobody in').toBe('WRONG_CODE');
  const answers = await Promise.all([use({}), use({})]);
  expect(answers.filter(({ success }) => success)).toHaveLength(1);

  const phone = newPhone();
  await askBind(phone, token);
  expect((await bind(phone, await aliyun.takeCode(phone), token)).data).toMatchObject({ id, phone });
  t.advance(11 * MINUTE);
  expect((await ask(phone, token)).fields, 'added only just now').toHaveProperty('target');
  expect((await t.call('GET core/account/reauth', {}, { token })).data.targets).toEqual([email]);
  await t.call('POST core/account/code', { purpose: 'login', target: phone });
  const byNewPhone = await t.call('PUT core/account/code', {
    purpose: 'login',
    target: phone,
    code: await aliyun.takeCode(phone),
  });
  expect((await askBind(newEmail(), byNewPhone.token)).errorCode).toBe('REAUTH_REQUIRED');
  t.advance(24 * 60 * MINUTE);
  expect((await ask(phone, token)).success).toBe(true);
  expect(
    (await reauth({ method: 'code', target: phone, code: await aliyun.takeCode(phone) }, token)).success,
  ).toBe(true);
  expect((await askBind(newEmail(), token)).success).toBe(true);
});

test('an e-mail that nobody has shown to be theirs gets no code', async () => {
  const email = newEmail();
  const { token } = await t.register(email);
  const asked = await t.call('POST core/account/code', { purpose: 'reauth', target: email }, { token });
  expect(asked.fields).toHaveProperty('target');
  expect((await t.call('GET core/account/reauth', {}, { token })).data).toMatchObject({
    methods: ['password'],
  });
});

test('two-factor is asked for whatever the method, and the password in a call does not stand for it', async () => {
  const admin = await makeMember(t, 'super');
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

test('wrong passwords count like failed sign-ins, at every call that takes the password', async () => {
  const { token, user } = await makeWriter(t);
  t.advance(11 * MINUTE);
  for (let i = 0; i < 7; i++) {
    await byPassword(token, `guess ${i}`);
    await newToken(token, { password: `guess ${i}` });
    await t.call(
      'PUT core/account/password',
      { oldPassword: `guess ${i}`, newPassword: 'whatever it is' },
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

  const strict = await startTestApp({ beside: t, config: { challenge: true } });
  const guess = () =>
    strict.call(
      'POST core/account/reauth',
      { method: 'password', password: 'wrong' },
      { token, address: '198.51.100.7' },
    );
  for (let i = 0; i < 5; i++) expect((await guess()).errorCode).toBe('WRONG_PASSWORD');
  expect((await guess()).errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('a flood of guesses at once gets no more than twenty looks', async () => {
  const { token } = await t.register();
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => byPassword(token, `guess ${i}`)));
  expect(answers.filter(({ errorCode }) => errorCode === 'WRONG_PASSWORD')).toHaveLength(20);
});

test('clients that send the password with a new token go on as before', async () => {
  const { token } = await makeWriter(t);
  t.advance(11 * MINUTE);
  expect((await newToken(token, { password: 'not it' })).fields?.password).toBe('密码不对');
  expect((await newToken(token, { password: PASSWORD })).success).toBe(true);
});

test('a session by QR code counts for nothing: it neither binds nor closes the account', async () => {
  const { token } = await t.register();
  const { data } = await t.call('GET core/user/qrcode/login');
  for (const action of ['scan', 'confirm'])
    await t.call('PUT core/user/qrcode/login', { ticket: data.ticket, action }, { token });
  const { ticket, secret } = data;
  const thief = (await t.call('POST core/user/login/qrcode', { ticket, secret })).token;
  expect((await t.call('GET core/user/', {}, { token: thief })).success).toBe(true);
  expect((await askBind(newEmail(), thief)).errorCode).toBe('REAUTH_REQUIRED');
  expect((await t.call('DELETE core/account/', {}, { token: thief })).status).toBe(403);
  expect((await byPassword(thief)).success).toBe(true);
  expect((await t.call('DELETE core/account/', {}, { token: thief })).success).toBe(true);
});

test('a session that ended while its owner re-authenticated opens nothing', async () => {
  const { token, user } = await makeWriter(t);
  t.advance(11 * MINUTE);
  const second = await signIn(user.account);
  const [answer] = await Promise.all([
    byPassword(token),
    t.call('DELETE core/account/login', { all: 1 }, { token: second }),
  ]);
  expect([200, 401]).toContain(answer.status);
  expect((await newToken(token)).status).toBe(401);
});

test('the wrong method is refused with a sentence', async () => {
  const { token } = await t.register();
  for (const input of [{}, { method: 'passkey' }, { method: 'password' }, { method: 'code', code: '123456' }])
    expect(await reauth(input, token)).toMatchObject({ status: 422, errorCode: 'INVALID' });
});
