import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomPhone, startTestAliyunSms, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { startTestSmtp, type TestSmtp } from '../../../testing/smtp.ts';
import { createStaff } from '../../../testing/staff.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const lines: string[] = [];

let smtp: TestSmtp;
let aliyun: TestAliyunSms;
let t: TestApp;
let config: Parameters<typeof startTestApp>[0] & object;
beforeAll(async () => {
  aliyun = await startTestAliyunSms();
  smtp = await startTestSmtp();
  config = { runsJobs: true, config: { sms: aliyun.config, smtpUrl: smtp.url, mailFrom: 'a@site.test' } };
  t = await startTestApp(config);
});
afterAll(async () => {
  await t.close();
  smtp.close();
  await aliyun.close();
});

const newAddress = () => `198.18.${randomInt(255)}.${randomInt(1, 255)}`;
const requestCode = (target: string, address: string, at = t) =>
  at.call('POST core/account/code', { purpose: 'login', target }, { address });
const requestPasswordReset = (account: string, address: string, at = t) =>
  at.call('POST core/account/reset', { account }, { address });
async function requestBindCode(target: string, token: string, address: string, at = t) {
  await at.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { address, token });
  return at.call('POST core/account/code', { purpose: 'bind', target }, { address, token });
}
const sentTo = (to: string) =>
  aliyun.sent.filter((sms) => sms.to === to).length + smtp.mails.filter((each) => each.to === to).length;

/** Waits until all requested codes were sent or dropped. */
async function waitForCodeJobs(): Promise<void> {
  const left = async () =>
    (
      await t.app.services.pool.query(
        `select count(*)::int as count from graphile_worker.jobs
         where task_identifier in ('mail-code', 'send-sms', 'send-mail')`,
      )
    ).rows[0].count;
  await expect.poll(left).toBe(0);
}

/** A user with a phone and an e-mail who has signed in from this address. */
async function newOwner(at = t) {
  const phone = randomPhone();
  const email = `${uniqueName()}@example.com`;
  const home = newAddress();
  const { user } = await at.register();
  await at.app.services.pool.query(
    'update accounts set phone = $1, email = $2, email_verified = true where user_id = $3',
    [phone, email, user.id],
  );
  await at.call('POST core/account/login', { account: user.account, password: PASSWORD }, { address: home });
  return { account: user.account, phone, email, home };
}

test('limits mailed codes like text messages for every purpose, with or without an account', async () => {
  const { token } = await t.register();
  const { email } = await newOwner();
  const address = newAddress();
  for (const target of [email, `${uniqueName()}@example.com`]) {
    expect((await requestCode(target, address)).success).toBe(true);
    for (const again of [await requestCode(target, address), await requestPasswordReset(target, address)]) {
      expect(again).toMatchObject({ status: 429, errorMessage: '这个邮箱刚发送过验证码，请稍后再试' });
      expect(again.headers['retry-after']).toMatch(/^(60|[1-5]\d)$/);
    }
    for (let nth = 0; nth < 4; nth++) {
      t.advance(61_000);
      expect((await requestPasswordReset(target, address)).success).toBe(true);
    }
    t.advance(61_000);
    expect((await requestCode(target, address)).errorMessage).toBe('这个邮箱发送验证码太频繁，请稍后再试');
    for (let nth = 0; nth < 5; nth++) {
      t.advance(HOUR);
      expect((await requestCode(target, address)).success).toBe(true);
    }
    t.advance(HOUR);
    expect((await requestCode(target, address)).errorMessage).toBe(
      '这个邮箱今天的验证码已达上限，请明天再试',
    );
  }
  const fresh = `${uniqueName()}@example.com`;
  expect((await requestBindCode(fresh, token, address)).success).toBe(true);
  expect((await requestBindCode(fresh, token, address)).status).toBe(429);
  const byName = uniqueName();
  await requestPasswordReset(byName, address);
  expect((await requestPasswordReset(byName, address)).errorMessage).toContain('这个账号');
});

test('requires a challenge for every mailed code', async () => {
  const strict = await startTestApp({
    runsJobs: true,
    sameDatabaseAs: t,
    config: { ...config.config, challenge: true },
  });
  const { token } = await t.register();
  const target = `${uniqueName()}@example.com`;
  const address = newAddress();
  const responses = [
    await requestCode(target, address, strict),
    await requestPasswordReset(target, address, strict),
    await requestBindCode(target, token, address, strict),
  ];
  for (const response of responses) expect(response.errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('does not count requests by others against the owner', async () => {
  for (const kind of ['phone', 'email'] as const) {
    const owner = await newOwner();
    const target = owner[kind];
    // Requests from many addresses until the limit for strangers is reached.
    for (let nth = 0; nth < 33; nth++) {
      expect((await requestCode(target, `100.66.${nth}.1`)).success).toBe(true);
      await waitForCodeJobs();
      t.advance(61_000);
    }
    expect(sentTo(target)).toBe(30);
    expect((await requestCode(target, owner.home)).success).toBe(true);
    await waitForCodeJobs();
    expect(sentTo(target)).toBe(31);
    t.advance(61_000);
    // Other names of the same account do not count against the owner either.
    expect(
      (await requestPasswordReset(kind === 'phone' ? target : owner.account, '100.67.1.1')).success,
    ).toBe(true);
    await waitForCodeJobs();
    expect(sentTo(target)).toBe(31);
    t.advance(DAY);
    await requestCode(target, '100.66.1.1');
    await waitForCodeJobs();
    expect(sentTo(target)).toBe(32);
  }
}, 600_000);

test('reuses a code that others requested within a minute, with the same response', async () => {
  const owner = await newOwner();
  await requestCode(owner.phone, newAddress());
  await waitForCodeJobs();
  expect((await requestCode(owner.phone, owner.home)).success).toBe(true);
  await waitForCodeJobs();
  expect(sentTo(owner.phone)).toBe(1);
  const code = aliyun.sent.find(({ to }) => to === owner.phone)?.code ?? '';
  const signedIn = await t.call('PUT core/account/code', { purpose: 'login', target: owner.phone, code });
  expect(signedIn.data).toMatchObject({ account: owner.account });
});

test('limits a network to 200 code requests a day', async () => {
  const addressOf = (nth: number) => `100.70.1.${nth + 1}`;
  for (let nth = 0; nth < 200; nth++)
    expect((await requestPasswordReset(uniqueName(), addressOf(nth))).success).toBe(true);
  expect(await requestPasswordReset(uniqueName(), addressOf(201))).toMatchObject({
    status: 429,
    errorMessage: '你所在的网络今天的验证码已达上限，请明天再试',
  });
  expect((await requestPasswordReset(uniqueName(), '100.71.1.1')).success).toBe(true);
  t.advance(DAY);
  expect((await requestPasswordReset(uniqueName(), addressOf(201))).success).toBe(true);
});

test('mails a notification when the password is reset by text message', async () => {
  const { phone, email } = await newOwner();
  await requestPasswordReset(phone, newAddress());
  await waitForCodeJobs();
  const code = aliyun.sent.find(({ to }) => to === phone)?.code;
  const reset = { account: phone, code, newPassword: 'a brand new password' };
  expect((await t.call('PUT core/account/reset', reset)).success).toBe(true);
  await waitForCodeJobs();
  expect(smtp.mails.map(({ to }) => to)).toContain(email);
});

test('sends one code a minute and thirty a day to a phone that many users try to bind', async () => {
  const people = await Promise.all([t.register(), t.register(), t.register(), t.register()]);
  const phone = randomPhone();
  const at = (nth: number) => requestBindCode(phone, people[nth % 4]?.token ?? '', `100.68.${nth}.1`);
  const first = await Promise.all([at(0), at(1), at(2)]);
  expect(first.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  for (let nth = 3; nth < 32; nth++) {
    t.advance(11 * MINUTE);
    expect((await at(nth)).success).toBe(true);
  }
  t.advance(11 * MINUTE);
  expect((await at(32)).errorMessage).toBe('这个手机号今天的验证码已达上限，请明天再试');
  await waitForCodeJobs();
  expect(sentTo(phone)).toBe(30);
});

test('refuses codes after the daily budget, shows it to staff and logs it once', async () => {
  const budgeted = await startTestApp({
    runsJobs: true,
    config: { ...config.config, codeBudgets: { sms: 3, mail: 2 }, logLevel: 'warn' },
    logStream: { write: (line) => void lines.push(line) },
  });
  const { token: staff } = await createStaff(budgeted, ['health:list']);
  const health = async () => (await budgeted.call('GET core/sys/health/', {}, { token: staff })).data;
  const check = async () => (await health()).checks.find(({ part }) => part === 'codes');
  expect(await check()).toMatchObject({
    state: 'ok',
    text: '今天发出短信验证码 0 / 3 条，邮件验证码 0 / 2 条',
  });
  const { token } = await budgeted.register();
  const bind = (target: string, nth: number) => requestBindCode(target, token, `100.69.${nth}.1`, budgeted);
  const texts = await Promise.all(Array.from({ length: 8 }, (_, nth) => bind(randomPhone(), nth)));
  expect(texts.filter(({ success }) => success)).toHaveLength(3);
  for (const refused of texts.filter(({ success }) => !success))
    expect(refused).toMatchObject({ status: 429, errorMessage: '本站今天的短信验证码已经发完，请明天再试' });
  // The response is the same for bound and unknown numbers.
  const { phone, email } = await newOwner(budgeted);
  for (const target of [phone, randomPhone()])
    expect((await requestCode(target, newAddress(), budgeted)).errorMessage).toContain('短信验证码已经发完');
  expect((await bind(`${uniqueName()}@example.com`, 9)).success).toBe(true);
  expect((await bind(`${uniqueName()}@example.com`, 10)).success).toBe(true);
  expect((await requestPasswordReset(email, newAddress(), budgeted)).errorMessage).toContain(
    '邮件验证码已经发完',
  );
  expect(await health()).toMatchObject({
    state: 'bad',
    codes: { sms: { sent: 3, budget: 3 }, mail: { sent: 2, budget: 2 } },
  });
  expect(await check()).toMatchObject({ state: 'bad', text: expect.stringContaining('已经发完') });
  const told = lines.filter((line) => line.includes('daily budget of codes is spent'));
  expect(told.map((line) => JSON.parse(line).way).sort()).toEqual(['mail', 'sms']);
  budgeted.advance(DAY);
  expect((await bind(randomPhone(), 11)).success).toBe(true);
  await budgeted.close();
});
