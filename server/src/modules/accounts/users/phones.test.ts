import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AliyunSms, newPhone, startAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let aliyun: AliyunSms;
let t: TestApp;
beforeAll(async () => {
  aliyun = await startAliyunSms();
  t = await startTestApp({ config: { sms: aliyun.config } });
});
afterAll(async () => {
  await t.close();
  await aliyun.close();
});

const HOUR = 3_600_000;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const ask = (purpose: 'bind' | 'login', target: string, token?: string) =>
  t.call('POST core/account/code', { purpose, target }, { token });
const use = (purpose: 'bind' | 'login', target: string, code: string, token?: string) =>
  t.call('PUT core/account/code', { purpose, target, code }, { token });

async function withPhone() {
  const person = await t.register();
  const phone = newPhone();
  await ask('bind', phone, person.token);
  const bound = await use('bind', phone, await aliyun.takeCode(phone), person.token);
  expect(bound.data).toMatchObject({ id: person.user.id, phone });
  t.advance(61_000);
  return { ...person, phone };
}

test('a phone is bound by a code, then signs in by password and by code, and is its owner’s alone to see', async () => {
  const { token, user } = await t.register();
  const phone = newPhone();
  expect((await ask('bind', phone)).status).toBe(401);
  expect((await ask('bind', phone, token)).success).toBe(true);
  const code = await aliyun.takeCode(phone);
  expect((await use('bind', phone, other(code), token)).errorCode).toBe('WRONG_CODE');
  const thief = await t.register();
  expect((await use('bind', phone, code, thief.token)).errorCode).toBe('WRONG_CODE');
  expect((await use('bind', phone, code)).status).toBe(401);
  expect((await use('bind', phone, code, token)).data).toMatchObject({ id: user.id, phone });
  expect((await use('bind', phone, code, token)).errorCode).toBe('WRONG_CODE');

  const byPassword = await t.call('POST core/account/login', { account: phone, password: PASSWORD });
  expect(byPassword.data).toMatchObject({ id: user.id, account: user.account });
  t.advance(61_000);
  expect((await ask('login', phone)).success).toBe(true);
  const loginCode = await aliyun.takeCode(phone);
  const answers = await Promise.all([use('login', phone, loginCode), use('login', phone, loginCode)]);
  const [signedIn, ...more] = answers.filter(({ success }) => success);
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

test('a phone resets the password of its account, which shows nothing of the e-mail', async () => {
  const { token, phone, user } = await withPhone();
  t.advance(24 * HOUR);
  const reset = (code: string, account = phone) =>
    t.call('PUT core/account/reset', { account, code, newPassword: 'a brand new password' });
  expect((await t.call('POST core/account/reset', { account: phone })).success).toBe(true);
  const code = await aliyun.takeCode(phone);
  expect((await reset(other(code))).errorCode).toBe('WRONG_CODE');
  expect((await reset(code, user.account)).errorCode, 'not by another name').toBe('WRONG_CODE');
  expect((await use('login', phone, code)).errorCode, 'nor for something else').toBe('WRONG_CODE');
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

test('a number belongs to one account, also in a race; that it does only its holder learns', async () => {
  const { phone, token } = await withPhone();
  const second = await t.register();
  expect((await ask('bind', phone, second.token)).success).toBe(true);
  const taken = await use('bind', phone, await aliyun.takeCode(phone), second.token);
  expect(taken).toMatchObject({ errorCode: 'ACCOUNT_TAKEN', errorMessage: '这个手机号已被其他账号使用' });

  // Given up for another one, it is free again.
  const next = newPhone();
  await ask('bind', next, token);
  await use('bind', next, await aliyun.takeCode(next), token);
  t.advance(61_000);
  const codes: string[] = [];
  const people = [second, await t.register()];
  for (const person of people) {
    await ask('bind', phone, person.token);
    codes.push(await aliyun.takeCode(phone));
    t.advance(61_000);
  }
  const answers = await Promise.all(people.map(({ token }, i) => use('bind', phone, codes[i] ?? '', token)));
  expect(answers.map(({ success, errorCode }) => (success ? 'bound' : errorCode)).sort()).toEqual([
    'ACCOUNT_TAKEN',
    'bound',
  ]);
});

test('a number nobody has bound is answered alike and gets nothing', async () => {
  const { phone } = await withPhone();
  const free = newPhone();
  for (const target of [free, phone]) expect(await ask('login', target)).toMatchObject({ success: true });
  await aliyun.takeCode(phone);
  for (const target of [free, phone]) {
    const again = await ask('login', target);
    expect(again).toMatchObject({ status: 429, errorMessage: '这个手机号刚要过验证码，请稍后再试' });
    expect(again.headers['retry-after']).toMatch(/^(60|[1-5]\d)$/);
    expect((await use('login', target, '000000')).errorCode).toBe('WRONG_CODE');
  }
  t.advance(61_000);
  expect((await t.call('POST core/account/reset', { account: free })).success).toBe(true);
  expect(aliyun.sent.filter(({ to }) => to === free)).toEqual([]);
});

test('one a minute, five an hour, ten a day for a number from one address, whoever asks and whatever for', async () => {
  const phone = newPhone();
  const [one, two] = [await t.register(), await t.register()];
  const at = async (token?: string) => (await ask(token ? 'bind' : 'login', phone, token)).status;
  // Of those that come together one goes out.
  const first = await Promise.all([at(one.token), at(two.token), at()]);
  expect(first.sort()).toEqual([200, 429, 429]);
  for (const token of [one.token, two.token, undefined, one.token]) {
    t.advance(61_000);
    expect(await at(token)).toBe(200);
  }
  t.advance(61_000);
  const sixth = await ask('login', phone);
  expect(sixth).toMatchObject({ status: 429, errorMessage: '这个手机号要验证码太频繁，请稍后再试' });
  expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(50 * 60);
  t.advance(HOUR);
  for (let i = 0; i < 5; i++) {
    expect(await at()).toBe(200);
    t.advance(15 * 60_000);
  }
  const eleventh = await ask('login', phone);
  expect(eleventh.errorMessage).toBe('这个手机号一天里要的验证码太多，请明天再试');
  await t.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { token: one.token });
  expect(await at(one.token)).toBe(429);
  t.advance(24 * HOUR);
  expect(await at()).toBe(200);
});

test('five wrong codes spend the right one', async () => {
  const { phone } = await withPhone();
  await ask('login', phone);
  const code = await aliyun.takeCode(phone);
  for (let i = 0; i < 5; i++) await use('login', phone, other(code));
  expect((await use('login', phone, code)).errorCode).toBe('WRONG_CODE');
});

test('what Aliyun refuses is for operators: whoever asked is told nothing of it', async () => {
  const { token } = await t.register();
  const phone = newPhone();
  aliyun.faults.refuses = true;
  expect((await ask('bind', phone, token)).success).toBe(true);
  const admin = await t.signInAdmin();
  await vi.waitFor(
    async () => {
      const { data } = await t.call('GET core/sys/job/', { name: 'send-sms' }, { token: admin });
      expect(JSON.stringify(data)).toContain('isv.SMS_SIGNATURE_ILLEGAL');
    },
    { timeout: 10_000 },
  );
  aliyun.faults.refuses = false;
});

test('a new name is never a number; what is neither address nor number is refused', async () => {
  const name = newPhone();
  const registered = await t.call('POST core/user/', { account: name, password: PASSWORD });
  expect(registered).toMatchObject({ status: 422, fields: { account: expect.stringMatching(/手机号/) } });
  const token = await t.signInAdmin();
  const made = { account: name, password: PASSWORD, roleIds: [], enabled: 1 };
  expect((await t.call('POST core/sys/account/', made, { token })).fields).toHaveProperty('account');
  const { user } = await t.register();
  const renamed = await t.call('PUT core/sys/account/', { id: user.id, account: name }, { token });
  expect(renamed.fields).toHaveProperty('account');
  for (const target of ['12345678901', '1380013800', '+8613800138000', 'nobody'])
    expect((await ask('login', target)).status).toBe(422);
});

test('a name from before that looks like a number keeps it from others', async () => {
  const phone = newPhone();
  const older = await t.register();
  await t.app.services.pool.query('update accounts set name = $1 where user_id = $2', [phone, older.user.id]);
  const { token } = await t.register();
  await ask('bind', phone, token);
  expect((await use('bind', phone, await aliyun.takeCode(phone), token)).errorCode).toBe('ACCOUNT_TAKEN');
  const signedIn = await t.call('POST core/account/login', { account: phone, password: PASSWORD });
  expect(signedIn.data).toMatchObject({ id: older.user.id });
  t.advance(61_000);
  await ask('bind', phone, older.token);
  expect((await use('bind', phone, await aliyun.takeCode(phone), older.token)).data).toMatchObject({ phone });
});

test('every text message takes a challenge', async () => {
  const strict = await startTestApp({ beside: t, config: { sms: aliyun.config, challenge: true } });
  const { token, phone } = await withPhone();
  const asks = [
    strict.call('POST core/account/code', { purpose: 'login', target: phone }),
    strict.call('POST core/account/code', { purpose: 'bind', target: newPhone() }, { token }),
    strict.call('POST core/account/reset', { account: phone }),
  ];
  for (const answer of await Promise.all(asks)) expect(answer.errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('without a provider the calls say so, and the password still does', async () => {
  const { phone, token } = await withPhone();
  const bare = await startTestApp({ beside: t });
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
