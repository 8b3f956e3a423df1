import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressGroup, networkOf } from '../../../address.ts';
import { inTx } from '../../../ctx.ts';
import { addJob, systemCtx } from '../../../jobs.ts';
import { ADMIN_PASSWORD, PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

const MINUTE = 60_000;

let t: TestApp;
/** Other processes, which ask for challenges as the first does not. */
let strict: TestApp;
let other: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  strict = await startTestApp({ beside: t, config: { challenge: true } });
  other = await startTestApp({ beside: t, config: { challenge: true } });
});
afterAll(async () => {
  for (const each of [other, strict, t]) await each.close();
});

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

async function solve(): Promise<string> {
  const { data } = await strict.call('GET core/account/challenge');
  const challenge = data.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

const advance = (ms: number) => {
  for (const each of [t, strict, other]) each.advance(ms);
};
const guess = (address: string, account = uniqueName(), more: object = {}, at = strict) =>
  at.call('POST core/account/login', { account, password: 'not it', ...more }, { address });
const guessCode = (address: string, at = strict) =>
  at.call(
    'PUT core/account/code',
    { purpose: 'login', target: `${uniqueName()}@example.com`, code: '000000' },
    { address },
  );
/** One guess at each of so many accounts: what they are answered. */
async function spray(count: number, once: (nth: number) => Promise<{ errorCode: string | undefined }>) {
  const codes: (string | undefined)[] = [];
  for (let nth = 0; nth < count; nth++) codes.push((await once(nth)).errorCode);
  return codes;
}

test('networks are IPv4 /24 and IPv6 /48, however an address is written', () => {
  expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24');
  for (const address of ['2001:db8:1:2::3', '2001:0db8:0001:ffff::1', '2001:db8:1::'])
    expect(networkOf(address)).toBe('2001:db8:1::/48');
  expect(networkOf('::1')).toBe('0:0:0::/48');
  expect(addressGroup('2001:db8:1:2::3')).toBe('2001:db8:1:2');
});

test('an address that fails at many accounts is asked for a challenge, and then still signs in', async () => {
  const address = '198.51.100.1';
  const codes = await spray(22, () => guess(address));
  expect(codes.slice(0, 20)).toEqual(Array(20).fill('WRONG_PASSWORD'));
  expect(codes.slice(20)).toEqual(['CHALLENGE_REQUIRED', 'CHALLENGE_REQUIRED']);

  const { user } = await t.register();
  const right = { password: PASSWORD };
  expect((await guess(address, user.account, right)).errorCode).toBe('CHALLENGE_REQUIRED');
  const solved = { ...right, challenge: await solve() };
  expect((await guess(address, user.account, solved)).success).toBe(true);
  // Whoever has an account of their own does not make the address a new one by it.
  expect((await guess(address, user.account, right)).errorCode).toBe('CHALLENGE_REQUIRED');
  expect((await guess('198.51.100.2', user.account, right)).success).toBe(true);
  advance(4 * MINUTE);
  expect((await guess(address, user.account, right)).success).toBe(true);
});

test('many addresses of one network count together, also in IPv6', async () => {
  const ways: ((nth: number) => string)[] = [
    (nth) => `192.0.2.${nth + 1}`,
    (nth) => `2001:db8:77:${nth.toString(16)}::1`,
  ];
  for (const address of ways) {
    const codes = await spray(62, (nth) => guessCode(address(nth)));
    expect(codes.slice(0, 60)).toEqual(Array(60).fill('WRONG_CODE'));
    expect(codes.slice(60)).toEqual(['CHALLENGE_REQUIRED', 'CHALLENGE_REQUIRED']);
  }
  const { user } = await t.register();
  const elsewhere = await guess('2001:db8:78::1', user.account, { password: PASSWORD });
  expect(elsewhere.success).toBe(true);
});

test('a flood at once gets no more looks than one after the other, whichever process it comes to', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => guessCode('198.51.101.1', nth % 2 === 0 ? strict : other)),
  );
  const looked = answers.filter(({ errorCode }) => errorCode === 'WRONG_CODE');
  expect(looked.length).toBeLessThanOrEqual(20);
  expect(answers.filter(({ errorCode }) => errorCode === 'CHALLENGE_REQUIRED')).toHaveLength(
    60 - looked.length,
  );
  // Those that were not looked at did not make it worse.
  advance(4 * MINUTE);
  expect((await guessCode('198.51.101.1')).errorCode).toBe('WRONG_CODE');
});

test('who signs in rightly is never challenged, however many share the address', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => t.register()));
  for (let round = 0; round < 5; round++)
    for (const { user } of people)
      expect((await guess('198.51.102.1', user.account, { password: PASSWORD })).success).toBe(true);
});

test('a flood at one account from one address is challenged from the sixth on', async () => {
  const { user } = await t.register();
  const answers = await Promise.all(Array.from({ length: 15 }, () => guess('198.51.103.1', user.account)));
  expect(answers.filter(({ errorCode }) => errorCode === 'WRONG_PASSWORD')).toHaveLength(5);
});

test('wrong codes count as well, at accounts that exist or not, and are challenged', async () => {
  const { user } = await t.register(`${uniqueName()}@example.com`);
  const address = '198.51.104.1';
  const use = (nth: number, challenge?: string) =>
    nth % 2 === 0
      ? strict.call(
          'PUT core/account/reset',
          { account: user.account, code: '000000', newPassword: 'another good one', challenge },
          { address },
        )
      : strict.call(
          'PUT core/account/code',
          { purpose: 'login', target: `${uniqueName()}@example.com`, code: '000000', challenge },
          { address },
        );
  for (let nth = 0; nth < 20; nth++) expect((await use(nth)).errorCode).toBe('WRONG_CODE');
  for (const nth of [0, 1]) {
    expect((await use(nth)).errorCode).toBe('CHALLENGE_REQUIRED');
    expect((await use(nth, await solve())).errorCode).toBe('WRONG_CODE');
  }
  expect((await guess(address)).errorCode).toBe('CHALLENGE_REQUIRED');
});

test('the second factor takes ten guesses from wherever they come, tells its owner, and then waits', async () => {
  const token = await t.signInAdmin();
  const { data } = await t.call('POST core/account/totp', {}, { token });
  const codeNow = () =>
    new TOTP({ secret: data.secret }).generate({ timestamp: t.app.services.clock().getTime() });
  await t.call('PUT core/account/totp', { code: codeNow() }, { token });
  advance(MINUTE);
  const wrong = () => String((Number(codeNow()) + 1) % 1_000_000).padStart(6, '0');
  const signIn = (totp: string | undefined, nth: number, password = ADMIN_PASSWORD) =>
    t.call('POST core/account/login', { account: 'admin', password, totp }, { address: `100.64.${nth}.1` });

  expect((await signIn(undefined, 0)).errorCode).toBe('TOTP_REQUIRED');
  const answers = await Promise.all(Array.from({ length: 14 }, (_, nth) => signIn(wrong(), nth)));
  expect(answers.filter(({ errorCode }) => errorCode === 'WRONG_TOTP')).toHaveLength(10);
  const [locked] = answers.filter(({ errorCode }) => errorCode === 'ACCOUNT_LOCKED');
  expect(locked).toMatchObject({ status: 429, errorMessage: expect.stringContaining('动态验证码') });
  expect((await signIn(codeNow(), 20)).errorCode).toBe('ACCOUNT_LOCKED');
  expect((await signIn(codeNow(), 21, 'not it')).errorCode).toBe('WRONG_PASSWORD');
  const off = await t.call('DELETE core/account/totp', { code: codeNow() }, { token });
  expect(off.errorCode).toBe('ACCOUNT_LOCKED');
  const notices = await t.call('GET core/user/notice', {}, { token });
  expect(notices.data.list.filter(({ text }) => text.includes('多次填错动态验证码'))).toHaveLength(1);

  advance(6 * MINUTE);
  expect((await signIn(codeNow(), 22)).success).toBe(true);
  advance(MINUTE);
  for (let nth = 0; nth < 3; nth++) expect((await signIn(wrong(), nth)).errorCode).toBe('WRONG_TOTP');
  expect((await t.call('DELETE core/account/totp', { code: codeNow() }, { token })).success).toBe(true);
});

test('what is forgotten leaves no row behind', async () => {
  await spray(5, (nth) => guessCode(`100.65.0.${nth + 1}`, t));
  const count = async () =>
    (await t.app.services.pool.query('select count(*)::int as count from guesses')).rows[0].count;
  expect(await count()).toBeGreaterThan(5);
  advance(13 * 60 * MINUTE);
  await inTx(systemCtx(t.app.services), (ctx) => addJob(ctx, 'expire-sign-ins', {}));
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
});
