import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AliyunSms, newPhone, startAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { type Smtp, startSmtp } from '../../../testing/smtp.ts';
import { makeStaff } from '../../../testing/staff.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const lines: string[] = [];

let smtp: Smtp;
let aliyun: AliyunSms;
let t: TestApp;
let config: Parameters<typeof startTestApp>[0] & object;
beforeAll(async () => {
  aliyun = await startAliyunSms();
  smtp = await startSmtp();
  config = { config: { sms: aliyun.config, smtpUrl: smtp.url, mailFrom: 'a@site.test' } };
  t = await startTestApp(config);
});
afterAll(async () => {
  await t.close();
  smtp.close();
  await aliyun.close();
});

const newAddress = () => `198.18.${randomInt(255)}.${randomInt(1, 255)}`;
const ask = (target: string, address: string, at = t) =>
  at.call('POST core/account/code', { purpose: 'login', target }, { address });
const askReset = (account: string, address: string, at = t) =>
  at.call('POST core/account/reset', { account }, { address });
async function askBind(target: string, token: string, address: string, at = t) {
  await at.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { address, token });
  return at.call('POST core/account/code', { purpose: 'bind', target }, { address, token });
}
const sentTo = (to: string) =>
  aliyun.sent.filter((sms) => sms.to === to).length + smtp.mails.filter((each) => each.to === to).length;

/** Until every code that was asked for has gone out, or not. */
async function settled(): Promise<void> {
  const left = async () =>
    (
      await t.app.services.pool.query(
        `select count(*)::int as count from graphile_worker.jobs
         where task_identifier in ('mail-code', 'send-sms', 'send-mail')`,
      )
    ).rows[0].count;
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000 });
}

/** Somebody with a phone and an e-mail of their own, who has signed in from this address. */
async function newOwner(at = t) {
  const phone = newPhone();
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

test('mailed codes have the limits of text messages, for every purpose, whether or not there is an account', async () => {
  const { token } = await t.register();
  const { email } = await newOwner();
  const address = newAddress();
  for (const target of [email, `${uniqueName()}@example.com`]) {
    expect((await ask(target, address)).success).toBe(true);
    for (const again of [await ask(target, address), await askReset(target, address)]) {
      expect(again).toMatchObject({ status: 429, errorMessage: '这个邮箱刚要过验证码，请稍后再试' });
      expect(again.headers['retry-after']).toMatch(/^(60|[1-5]\d)$/);
    }
    for (let nth = 0; nth < 4; nth++) {
      t.advance(61_000);
      expect((await askReset(target, address)).success).toBe(true);
    }
    t.advance(61_000);
    expect((await ask(target, address)).errorMessage).toBe('这个邮箱要验证码太频繁，请稍后再试');
    for (let nth = 0; nth < 5; nth++) {
      t.advance(HOUR);
      expect((await ask(target, address)).success).toBe(true);
    }
    t.advance(HOUR);
    expect((await ask(target, address)).errorMessage).toBe('这个邮箱一天里要的验证码太多，请明天再试');
  }
  const fresh = `${uniqueName()}@example.com`;
  expect((await askBind(fresh, token, address)).success).toBe(true);
  expect((await askBind(fresh, token, address)).status).toBe(429);
  const byName = uniqueName();
  await askReset(byName, address);
  expect((await askReset(byName, address)).errorMessage).toContain('这个账号');
});

test('every mailed code takes a challenge', async () => {
  const strict = await startTestApp({ beside: t, config: { ...config.config, challenge: true } });
  const { token } = await t.register();
  const target = `${uniqueName()}@example.com`;
  const address = newAddress();
  const answers = [
    await ask(target, address, strict),
    await askReset(target, address, strict),
    await askBind(target, token, address, strict),
  ];
  for (const answer of answers) expect(answer.errorCode).toBe('CHALLENGE_REQUIRED');
  await strict.close();
});

test('who asks for the codes of somebody else does not use up what the owner may ask for', async () => {
  for (const kind of ['phone', 'email'] as const) {
    const owner = await newOwner();
    const target = owner[kind];
    // From many addresses, until no more is sent.
    for (let nth = 0; nth < 33; nth++) {
      expect((await ask(target, `100.66.${nth}.1`)).success).toBe(true);
      await settled();
      t.advance(61_000);
    }
    expect(sentTo(target)).toBe(30);
    expect((await ask(target, owner.home)).success).toBe(true);
    await settled();
    expect(sentTo(target)).toBe(31);
    t.advance(61_000);
    // Neither do names that belong to the same account.
    expect((await askReset(kind === 'phone' ? target : owner.account, '100.67.1.1')).success).toBe(true);
    await settled();
    expect(sentTo(target)).toBe(31);
    t.advance(DAY);
    await ask(target, '100.66.1.1');
    await settled();
    expect(sentTo(target)).toBe(32);
  }
}, 600_000);

test('a code that strangers asked for within a minute serves the owner, who is answered alike', async () => {
  const owner = await newOwner();
  await ask(owner.phone, newAddress());
  await settled();
  expect((await ask(owner.phone, owner.home)).success).toBe(true);
  await settled();
  expect(sentTo(owner.phone)).toBe(1);
  const code = aliyun.sent.find(({ to }) => to === owner.phone)?.code ?? '';
  const signedIn = await t.call('PUT core/account/code', { purpose: 'login', target: owner.phone, code });
  expect(signedIn.data).toMatchObject({ account: owner.account });
});

test('a network asks for two hundred codes a day, for whatever names', async () => {
  const addressOf = (nth: number) => `100.70.1.${nth + 1}`;
  for (let nth = 0; nth < 200; nth++)
    expect((await askReset(uniqueName(), addressOf(nth))).success).toBe(true);
  expect(await askReset(uniqueName(), addressOf(201))).toMatchObject({
    status: 429,
    errorMessage: '你所在的网络今天要的验证码太多，请明天再试',
  });
  expect((await askReset(uniqueName(), '100.71.1.1')).success).toBe(true);
  t.advance(DAY);
  expect((await askReset(uniqueName(), addressOf(201))).success).toBe(true);
});

test('a password that was reset by a text message is told to the e-mail', async () => {
  const { phone, email } = await newOwner();
  await askReset(phone, newAddress());
  await settled();
  const code = aliyun.sent.find(({ to }) => to === phone)?.code;
  const reset = { account: phone, code, newPassword: 'a brand new password' };
  expect((await t.call('PUT core/account/reset', reset)).success).toBe(true);
  await settled();
  expect(smtp.mails.map(({ to }) => to)).toContain(email);
});

test('a number that many want to bind gets one code a minute and thirty a day', async () => {
  const people = await Promise.all([t.register(), t.register(), t.register(), t.register()]);
  const phone = newPhone();
  const at = (nth: number) => askBind(phone, people[nth % 4]?.token ?? '', `100.68.${nth}.1`);
  const first = await Promise.all([at(0), at(1), at(2)]);
  expect(first.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  for (let nth = 3; nth < 32; nth++) {
    t.advance(11 * MINUTE);
    expect((await at(nth)).success).toBe(true);
  }
  t.advance(11 * MINUTE);
  expect((await at(32)).errorMessage).toBe('这个手机号一天里要的验证码太多，请明天再试');
  await settled();
  expect(sentTo(phone)).toBe(30);
});

test('when the day’s budget is spent everyone is told, staff see it, and the log says so once', async () => {
  const budgeted = await startTestApp({
    config: { ...config.config, codeBudgets: { sms: 3, mail: 2 }, logLevel: 'warn' },
    logStream: { write: (line) => void lines.push(line) },
  });
  const { token: staff } = await makeStaff(budgeted, ['health:list']);
  const health = async () => (await budgeted.call('GET core/sys/health/', {}, { token: staff })).data;
  const check = async () => (await health()).checks.find(({ part }) => part === 'codes');
  expect(await check()).toMatchObject({
    state: 'ok',
    text: '今天发出短信验证码 0 / 3 条，邮件验证码 0 / 2 条',
  });
  const { token } = await budgeted.register();
  const bind = (target: string, nth: number) => askBind(target, token, `100.69.${nth}.1`, budgeted);
  const texts = await Promise.all(Array.from({ length: 8 }, (_, nth) => bind(newPhone(), nth)));
  expect(texts.filter(({ success }) => success)).toHaveLength(3);
  for (const refused of texts.filter(({ success }) => !success))
    expect(refused).toMatchObject({ status: 429, errorMessage: '本站今天的短信验证码已经发完，请明天再试' });
  // Alike for numbers that somebody has and those that nobody has.
  const { phone, email } = await newOwner(budgeted);
  for (const target of [phone, newPhone()])
    expect((await ask(target, newAddress(), budgeted)).errorMessage).toContain('短信验证码已经发完');
  expect((await bind(`${uniqueName()}@example.com`, 9)).success).toBe(true);
  expect((await bind(`${uniqueName()}@example.com`, 10)).success).toBe(true);
  expect((await askReset(email, newAddress(), budgeted)).errorMessage).toContain('邮件验证码已经发完');
  expect(await health()).toMatchObject({
    state: 'bad',
    codes: { sms: { sent: 3, budget: 3 }, mail: { sent: 2, budget: 2 } },
  });
  expect(await check()).toMatchObject({ state: 'bad', text: expect.stringContaining('已经发完') });
  const told = lines.filter((line) => line.includes('daily budget of codes is spent'));
  expect(told.map((line) => JSON.parse(line).way).sort()).toEqual(['mail', 'sms']);
  budgeted.advance(DAY);
  expect((await bind(newPhone(), 11)).success).toBe(true);
  await budgeted.close();
});
