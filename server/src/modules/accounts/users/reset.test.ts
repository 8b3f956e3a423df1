import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { startTestSmtp, type TestSmtp } from '../../../testing/smtp.ts';

let smtp: TestSmtp;
let t: TestApp;
beforeAll(async () => {
  smtp = await startTestSmtp();
  t = await startTestApp({ runsJobs: true, config: { smtpUrl: smtp.url, mailFrom: 'noreply@site.test' } });
});
afterAll(async () => {
  await t.close();
  smtp.close();
});

const me = (token: string | undefined) => t.call('GET core/user/', {}, { token });
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('sets a new password by a mailed code once and ends all sessions', async () => {
  const account = `${uniqueName()}@example.com`;
  const { token } = await t.register(account);
  expect((await t.call('POST core/account/reset', { account })).success).toBe(true);
  const code = await smtp.waitForCode(account);
  const newPassword = 'a brand new password';
  const wrong = await t.call('PUT core/account/reset', { account, code: other(code), newPassword });
  expect(wrong).toMatchObject({ success: false, errorCode: 'WRONG_CODE' });
  expect((await me(token)).success).toBe(true);
  const responses = await Promise.all([
    t.call('PUT core/account/reset', { account, code, newPassword }),
    t.call('PUT core/account/reset', { account, code, newPassword }),
  ]);
  expect(responses.filter((response) => response.success)).toHaveLength(1);
  expect((await me(token)).status).toBe(401);
  expect((await t.call('POST core/account/login', { account, password: newPassword })).success).toBe(true);
  expect((await t.call('POST core/account/login', { account, password: PASSWORD })).status).toBe(401);
});

test('invalidates a code after five wrong attempts or ten minutes', async () => {
  const account = `${uniqueName()}@example.com`;
  await t.register(account);
  const use = (code: string) =>
    t.call('PUT core/account/reset', { account, code, newPassword: 'a brand new password' });
  await t.call('POST core/account/reset', { account });
  const first = await smtp.waitForCode(account);
  for (let i = 0; i < 5; i++) await use(other(first));
  expect((await use(first)).errorCode).toBe('WRONG_CODE');

  t.advance(61_000);
  await t.call('POST core/account/reset', { account });
  const second = await smtp.waitForCode(account);
  t.advance(10 * 60_000);
  expect((await use(second)).errorCode).toBe('WRONG_CODE');
});

test('does not reveal whether an account exists and sends one mail a minute', async () => {
  expect((await t.call('POST core/account/reset', { account: uniqueName() })).success).toBe(true);
  const account = `${uniqueName()}@example.com`;
  await t.register(account);
  await t.call('POST core/account/reset', { account });
  const code = await smtp.waitForCode(account);
  for (const name of [account, uniqueName()]) {
    await t.call('POST core/account/reset', { account: name });
    expect((await t.call('POST core/account/reset', { account: name })).status).toBe(429);
  }
  const used = await t.call('PUT core/account/reset', { account, code, newPassword: 'a brand new password' });
  expect(used.success).toBe(true);
});

test('binds an e-mail by a code and signs in with it by password and code', async () => {
  const { token, user } = await t.register();
  const target = `${uniqueName()}@example.com`;
  expect((await t.call('POST core/account/code', { purpose: 'bind', target })).status).toBe(401);
  expect((await t.call('POST core/account/code', { purpose: 'bind', target }, { token })).success).toBe(true);
  const code = await smtp.waitForCode(target);
  const bound = await t.call('PUT core/account/code', { purpose: 'bind', target, code }, { token });
  expect(bound.data).toMatchObject({ id: user.id, email: target });
  expect((await t.call('POST core/account/login', { account: target, password: PASSWORD })).success).toBe(
    true,
  );

  t.advance(61_000);
  await t.call('POST core/account/code', { purpose: 'login', target });
  const loginCode = await smtp.waitForCode(target);
  const signedIn = await t.call('PUT core/account/code', { purpose: 'login', target, code: loginCode });
  expect(signedIn.data).toMatchObject({ id: user.id });
  expect((await me(signedIn.token)).success).toBe(true);
  const again = await t.call('PUT core/account/code', { purpose: 'login', target, code: loginCode });
  expect(again.errorCode).toBe('WRONG_CODE');
});

test('refuses to bind the e-mail of another account or with the code of another user', async () => {
  const taken = `${uniqueName()}@example.com`;
  await t.register(taken);
  const mine = await t.register();
  const refused = await t.call(
    'POST core/account/code',
    { purpose: 'bind', target: taken },
    { token: mine.token },
  );
  expect(refused.errorCode).toBe('ACCOUNT_TAKEN');

  const target = `${uniqueName()}@example.com`;
  await t.call('POST core/account/code', { purpose: 'bind', target }, { token: mine.token });
  const code = await smtp.waitForCode(target);
  const thief = await t.register();
  const stolen = await t.call(
    'PUT core/account/code',
    { purpose: 'bind', target, code },
    { token: thief.token },
  );
  expect(stolen.errorCode).toBe('WRONG_CODE');
});

test('returns an error without a mail server', async () => {
  const bare = await startTestApp({ runsJobs: true });
  const response = await bare.call('POST core/account/reset', { account: 'admin' });
  expect(response).toMatchObject({ status: 200, success: false, errorCode: 'MAIL_NOT_CONFIGURED' });
  expect((await bare.call('GET core/site/')).data.features.mail).toBe(false);
  expect((await t.call('GET core/site/')).data.features.mail).toBe(true);
  await bare.close();
});

test('refuses a weak password alike for existing and unknown accounts', async () => {
  const { user } = await t.register(`${uniqueName()}@example.com`);
  const use = (account: string) =>
    t.call('PUT core/account/reset', { account, code: '000000', newPassword: 'password123' });
  const [known, unknown] = [await use(user.account), await use(uniqueName())];
  expect(known).toMatchObject({ status: 422, errorMessage: unknown.errorMessage });
  expect(unknown.status).toBe(422);
});

test('sends no sign-in code to an unverified address until a reset', async () => {
  const account = `${uniqueName()}@example.com`;
  await t.register(account);
  await t.call('POST core/account/code', { purpose: 'login', target: account });
  t.advance(61_000);
  await t.call('POST core/account/reset', { account });
  const code = await smtp.waitForCode(account);
  await t.call('PUT core/account/reset', { account, code, newPassword: 'the owner is back' });
  t.advance(61_000);
  await t.call('POST core/account/code', { purpose: 'login', target: account });
  const loginCode = await smtp.waitForCode(account);
  const signedIn = await t.call('PUT core/account/code', {
    purpose: 'login',
    target: account,
    code: loginCode,
  });
  expect(signedIn.data.account).toBe(account);
});

test('removes the lock by a password reset', async () => {
  const account = `${uniqueName()}@example.com`;
  await t.register(account);
  const signIn = (password: string) => t.call('POST core/account/login', { account, password });
  for (let i = 0; i < 20; i++) await signIn('wrong');
  expect((await signIn(PASSWORD)).errorCode).toBe('ACCOUNT_LOCKED');
  await t.call('POST core/account/reset', { account });
  const code = await smtp.waitForCode(account);
  await t.call('PUT core/account/reset', { account, code, newPassword: 'the owner is back' });
  expect((await signIn('the owner is back')).success).toBe(true);
});
