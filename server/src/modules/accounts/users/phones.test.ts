import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomPhone, startTestAliyunSms, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let aliyun: TestAliyunSms;
let t: TestApp;
beforeAll(async () => {
  aliyun = await startTestAliyunSms();
  t = await startTestApp({ runsJobs: true, config: { sms: aliyun.config } });
});
afterAll(async () => {
  await t.close();
  await aliyun.close();
});

const HOUR = 3_600_000;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const requestCode = (purpose: 'bind' | 'login', target: string, token?: string) =>
  t.call('POST core/account/code', { purpose, target }, { token });
const submitCode = (purpose: 'bind' | 'login', target: string, code: string, token?: string) =>
  t.call('PUT core/account/code', { purpose, target, code }, { token });

async function withPhone() {
  const person = await t.register();
  const phone = randomPhone();
  await requestCode('bind', phone, person.token);
  const bound = await submitCode('bind', phone, await aliyun.waitForCode(phone), person.token);
  expect(bound.data).toMatchObject({ id: person.user.id, phone });
  t.advance(61_000);
  return { ...person, phone };
}

test('binds a phone by a code, signs in with it and shows it only to its owner', async () => {
  const { token, user } = await t.register();
  const phone = randomPhone();
  expect((await requestCode('bind', phone)).status).toBe(401);
  expect((await requestCode('bind', phone, token)).success).toBe(true);
  const code = await aliyun.waitForCode(phone);
  expect((await submitCode('bind', phone, other(code), token)).errorCode).toBe('WRONG_CODE');
  const thief = await t.register();
  expect((await submitCode('bind', phone, code, thief.token)).errorCode).toBe('WRONG_CODE');
  expect((await submitCode('bind', phone, code)).status).toBe(401);
  expect((await submitCode('bind', phone, code, token)).data).toMatchObject({ id: user.id, phone });
  expect((await submitCode('bind', phone, code, token)).errorCode).toBe('WRONG_CODE');

  const byPassword = await t.call('POST core/account/login', { account: phone, password: PASSWORD });
  expect(byPassword.data).toMatchObject({ id: user.id, account: user.account });
  t.advance(61_000);
  expect((await requestCode('login', phone)).success).toBe(true);
  const loginCode = await aliyun.waitForCode(phone);
  const responses = await Promise.all([
    submitCode('login', phone, loginCode),
    submitCode('login', phone, loginCode),
  ]);
  const [signedIn, ...more] = responses.filter(({ success }) => success);
  expect(more).toHaveLength(0);
  expect((await t.call('GET core/user/', {}, { token: signedIn?.token })).data).toMatchObject({ phone });

  const shown = await t.call('GET core/user/public', { id: user.id }, { token: thief.token });
  expect(JSON.stringify(shown.data)).not.toContain(phone);
  const staff = await t.call('GET core/sys/account/', { id: user.id }, { token: await t.signInAdmin() });
  expect(staff.data).toMatchObject({ phone });
  const search = { keyword: phone, page: 1, pageSize: 10 };
  const found = await t.call('GET core/sys/account/', search, { token: await t.signInAdmin() });
  expect(found.data).toMatchObject({ list: [{ id: user.id }] });
  const people = await t.call('GET core/user/', search, { token: thief.token });
  expect(people.data).toMatchObject({ list: [] });
});

test('resets the password by phone without verifying the e-mail', async () => {
  const { token, phone, user } = await withPhone();
  t.advance(24 * HOUR);
  const reset = (code: string, account = phone) =>
    t.call('PUT core/account/reset', { account, code, newPassword: 'a brand new password' });
  expect((await t.call('POST core/account/reset', { account: phone })).success).toBe(true);
  const code = await aliyun.waitForCode(phone);
  expect((await reset(other(code))).errorCode).toBe('WRONG_CODE');
  expect((await reset(code, user.account)).errorCode, 'the code is bound to the phone').toBe('WRONG_CODE');
  expect((await submitCode('login', phone, code)).errorCode, 'the code is bound to its purpose').toBe(
    'WRONG_CODE',
  );
  expect((await reset(code)).success).toBe(true);
  expect((await t.call('GET core/user/', {}, { token })).status).toBe(401);
  const { rows } = await t.app.services.pool.query('select email_verified from accounts where phone = $1', [
    phone,
  ]);
  expect(rows).toEqual([{ email_verified: false }]);
  const byName = await t.call('POST core/account/reset', { account: user.account });
  expect(byName).toMatchObject({
    errorCode: 'MAIL_NOT_CONFIGURED',
    errorMessage: expect.stringMatching(/手机号/),
  });
});

test('binds a number to one account even concurrently and tells only its holder', async () => {
  const { phone, token } = await withPhone();
  const second = await t.register();
  expect((await requestCode('bind', phone, second.token)).success).toBe(true);
  const taken = await submitCode('bind', phone, await aliyun.waitForCode(phone), second.token);
  expect(taken).toMatchObject({ errorCode: 'ACCOUNT_TAKEN', errorMessage: '这个手机号已被其他账号使用' });

  // After a change to another number it is free again.
  const next = randomPhone();
  await requestCode('bind', next, token);
  await submitCode('bind', next, await aliyun.waitForCode(next), token);
  t.advance(61_000);
  const codes: string[] = [];
  const people = [second, await t.register()];
  for (const person of people) {
    await requestCode('bind', phone, person.token);
    codes.push(await aliyun.waitForCode(phone));
    t.advance(61_000);
  }
  const responses = await Promise.all(
    people.map(({ token }, i) => submitCode('bind', phone, codes[i] ?? '', token)),
  );
  expect(responses.map(({ success, errorCode }) => (success ? 'bound' : errorCode)).sort()).toEqual([
    'ACCOUNT_TAKEN',
    'bound',
  ]);
});

test('responds alike for an unbound number and sends nothing', async () => {
  const { phone } = await withPhone();
  const free = randomPhone();
  for (const target of [free, phone])
    expect(await requestCode('login', target)).toMatchObject({ success: true });
  await aliyun.waitForCode(phone);
  for (const target of [free, phone]) {
    const again = await requestCode('login', target);
    expect(again).toMatchObject({ status: 429, errorMessage: '这个手机号刚发送过验证码，请稍后再试' });
    expect(again.headers['retry-after']).toMatch(/^(60|[1-5]\d)$/);
    expect((await submitCode('login', target, '000000')).errorCode).toBe('WRONG_CODE');
  }
  t.advance(61_000);
  expect((await t.call('POST core/account/reset', { account: free })).success).toBe(true);
  expect(aliyun.sent.filter(({ to }) => to === free)).toEqual([]);
});

test('limits codes to one a minute, five an hour and ten a day per number and address', async () => {
  const phone = randomPhone();
  const [one, two] = [await t.register(), await t.register()];
  const at = async (token?: string) => (await requestCode(token ? 'bind' : 'login', phone, token)).status;
  // Only one of several concurrent requests sends a code.
  const first = await Promise.all([at(one.token), at(two.token), at()]);
  expect(first.sort()).toEqual([200, 429, 429]);
  for (const token of [one.token, two.token, undefined, one.token]) {
    t.advance(61_000);
    expect(await at(token)).toBe(200);
  }
  t.advance(61_000);
  const sixth = await requestCode('login', phone);
  expect(sixth).toMatchObject({ status: 429, errorMessage: '这个手机号发送验证码太频繁，请稍后再试' });
  expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(50 * 60);
  t.advance(HOUR);
  for (let i = 0; i < 5; i++) {
    expect(await at()).toBe(200);
    t.advance(15 * 60_000);
  }
  const eleventh = await requestCode('login', phone);
  expect(eleventh.errorMessage).toBe('这个手机号今天的验证码已达上限，请明天再试');
  await t.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { token: one.token });
  expect(await at(one.token)).toBe(429);
  t.advance(24 * HOUR);
  expect(await at()).toBe(200);
});

test('invalidates a code after five wrong attempts', async () => {
  const { phone } = await withPhone();
  await requestCode('login', phone);
  const code = await aliyun.waitForCode(phone);
  for (let i = 0; i < 5; i++) await submitCode('login', phone, other(code));
  expect((await submitCode('login', phone, code)).errorCode).toBe('WRONG_CODE');
});

test('reports an Aliyun error to operators only', async () => {
  const { token } = await t.register();
  const phone = randomPhone();
  aliyun.faults.refuses = true;
  expect((await requestCode('bind', phone, token)).success).toBe(true);
  const admin = await t.signInAdmin();
  const listJobs = async () =>
    (await t.call('GET core/sys/job/', { name: 'send-sms' }, { token: admin })).data;
  await expect.poll(async () => JSON.stringify(await listJobs())).toContain('isv.SMS_SIGNATURE_ILLEGAL');
  aliyun.faults.refuses = false;
});

test('refuses a phone number as account name and invalid targets', async () => {
  const name = randomPhone();
  const registered = await t.call('POST core/user/', { account: name, password: PASSWORD });
  expect(registered).toMatchObject({ status: 422, fields: { account: expect.stringMatching(/手机号/) } });
  const token = await t.signInAdmin();
  const made = { account: name, password: PASSWORD, roleIds: [], enabled: 1 };
  expect((await t.call('POST core/sys/account/', made, { token })).fields).toHaveProperty('account');
  const { user } = await t.register();
  const renamed = await t.call('PUT core/sys/account/', { id: user.id, account: name }, { token });
  expect(renamed.fields).toHaveProperty('account');
  for (const target of ['12345678901', '1380013800', '+8613800138000', 'nobody'])
    expect((await requestCode('login', target)).status).toBe(422);
});

test('reserves a number that an older account has as its name', async () => {
  const phone = randomPhone();
  const older = await t.register();
  await t.app.services.pool.query('update accounts set name = $1 where user_id = $2', [phone, older.user.id]);
  const { token } = await t.register();
  await requestCode('bind', phone, token);
  expect((await submitCode('bind', phone, await aliyun.waitForCode(phone), token)).errorCode).toBe(
    'ACCOUNT_TAKEN',
  );
  const signedIn = await t.call('POST core/account/login', { account: phone, password: PASSWORD });
  expect(signedIn.data).toMatchObject({ id: older.user.id });
  t.advance(61_000);
  await requestCode('bind', phone, older.token);
  expect((await submitCode('bind', phone, await aliyun.waitForCode(phone), older.token)).data).toMatchObject({
    phone,
  });
});

test('requires a challenge for every text message', async () => {
  const strict = await startTestApp({
    runsJobs: true,
    sameDatabaseAs: t,
    config: { sms: aliyun.config, challenge: true },
  });
  const { token, phone } = await withPhone();
  const asks = [
    strict.call('POST core/account/code', { purpose: 'login', target: phone }),
    strict.call('POST core/account/code', { purpose: 'bind', target: randomPhone() }, { token }),
    strict.call('POST core/account/reset', { account: phone }),
  ];
  for (const response of await Promise.all(asks)) expect(response.errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('returns an error without an SMS provider while passwords still work', async () => {
  const { phone, token } = await withPhone();
  const bare = await startTestApp({ runsJobs: true, sameDatabaseAs: t });
  expect((await bare.call('GET core/site/')).data.features.sms).toBe(false);
  expect((await t.call('GET core/site/')).data.features.sms).toBe(true);
  for (const purpose of ['bind', 'login'] as const)
    expect(await bare.call('POST core/account/code', { purpose, target: phone }, { token })).toMatchObject({
      status: 200,
      errorCode: 'MAIL_NOT_CONFIGURED',
      errorMessage: expect.stringMatching(/短信/),
    });
  const target = `${uniqueName()}@example.com`;
  expect(await t.call('POST core/account/code', { purpose: 'login', target })).toMatchObject({
    errorCode: 'MAIL_NOT_CONFIGURED',
    errorMessage: expect.stringMatching(/邮件/),
  });
  const signedIn = await bare.call('POST core/account/login', { account: phone, password: PASSWORD });
  expect(signedIn.success).toBe(true);
  await bare.close();
});
