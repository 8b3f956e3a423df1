import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressGroup, networkOf } from '../../../address.ts';
import { inTransaction } from '../../../ctx.ts';
import { addJob, systemCtx } from '../../../jobs.ts';
import { ADMIN_PASSWORD, PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

const MINUTE = 60_000;

let t: TestApp;
/** Further processes, which require challenges unlike the first one. */
let withChallenge: TestApp;
let other: TestApp;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  withChallenge = await startTestApp({ runsJobs: true, sameDatabaseAs: t, config: { challenge: true } });
  other = await startTestApp({ runsJobs: true, sameDatabaseAs: t, config: { challenge: true } });
});
afterAll(async () => {
  for (const each of [other, withChallenge, t]) await each.close();
});

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

async function solve(): Promise<string> {
  const { data } = await withChallenge.call('GET core/account/challenge');
  const challenge = data.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

const advance = (ms: number) => {
  for (const each of [t, withChallenge, other]) each.advance(ms);
};
const attemptPassword = (address: string, account = uniqueName(), more: object = {}, at = withChallenge) =>
  at.call('POST core/account/login', { account, password: 'not it', ...more }, { address });
const attemptCode = (address: string, at = withChallenge) =>
  at.call(
    'PUT core/account/code',
    { purpose: 'login', target: `${uniqueName()}@example.com`, code: '000000' },
    { address },
  );
/** Makes one attempt at each of `count` accounts and returns the error codes. */
async function attemptMany(count: number, once: (nth: number) => Promise<{ errorCode: string | undefined }>) {
  const codes: (string | undefined)[] = [];
  for (let nth = 0; nth < count; nth++) codes.push((await once(nth)).errorCode);
  return codes;
}

test('groups addresses into IPv4 /24 and IPv6 /48 networks in every notation', () => {
  expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24');
  for (const address of ['2001:db8:1:2::3', '2001:0db8:0001:ffff::1', '2001:db8:1::'])
    expect(networkOf(address)).toBe('2001:db8:1::/48');
  expect(networkOf('::1')).toBe('0:0:0::/48');
  expect(addressGroup('2001:db8:1:2::3')).toBe('2001:db8:1:2');
});

test('requires a challenge from an address that fails at many accounts, but still lets it sign in', async () => {
  const address = '198.51.100.1';
  const codes = await attemptMany(22, () => attemptPassword(address));
  expect(codes.slice(0, 20)).toEqual(Array(20).fill('WRONG_PASSWORD'));
  expect(codes.slice(20)).toEqual(['CHALLENGE_REQUIRED', 'CHALLENGE_REQUIRED']);

  const { user } = await t.register();
  const right = { password: PASSWORD };
  expect((await attemptPassword(address, user.account, right)).errorCode).toBe('CHALLENGE_REQUIRED');
  const solved = { ...right, challenge: await solve() };
  expect((await attemptPassword(address, user.account, solved)).success).toBe(true);
  // A successful sign-in with an own account does not reset the counter of the address.
  expect((await attemptPassword(address, user.account, right)).errorCode).toBe('CHALLENGE_REQUIRED');
  expect((await attemptPassword('198.51.100.2', user.account, right)).success).toBe(true);
  advance(4 * MINUTE);
  expect((await attemptPassword(address, user.account, right)).success).toBe(true);
});

test('counts addresses of one network together, also for IPv6', async () => {
  const ways: ((nth: number) => string)[] = [
    (nth) => `192.0.2.${nth + 1}`,
    (nth) => `2001:db8:77:${nth.toString(16)}::1`,
  ];
  for (const address of ways) {
    const codes = await attemptMany(62, (nth) => attemptCode(address(nth)));
    expect(codes.slice(0, 60)).toEqual(Array(60).fill('WRONG_CODE'));
    expect(codes.slice(60)).toEqual(['CHALLENGE_REQUIRED', 'CHALLENGE_REQUIRED']);
  }
  const { user } = await t.register();
  const elsewhere = await attemptPassword('2001:db8:78::1', user.account, { password: PASSWORD });
  expect(elsewhere.success).toBe(true);
});

test('limits concurrent attempts like sequential ones, also over several processes', async () => {
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, nth) =>
      attemptCode('198.51.101.1', nth % 2 === 0 ? withChallenge : other),
    ),
  );
  const looked = responses.filter(({ errorCode }) => errorCode === 'WRONG_CODE');
  expect(looked.length).toBeLessThanOrEqual(20);
  expect(responses.filter(({ errorCode }) => errorCode === 'CHALLENGE_REQUIRED')).toHaveLength(
    60 - looked.length,
  );
  // Refused attempts did not increase the counter.
  advance(4 * MINUTE);
  expect((await attemptCode('198.51.101.1')).errorCode).toBe('WRONG_CODE');
});

test('never requires a challenge for correct passwords from a shared address', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => t.register()));
  for (let round = 0; round < 5; round++)
    for (const { user } of people)
      expect((await attemptPassword('198.51.102.1', user.account, { password: PASSWORD })).success).toBe(
        true,
      );
});

test('requires a challenge from the sixth concurrent attempt at one account', async () => {
  const { user } = await t.register();
  const responses = await Promise.all(
    Array.from({ length: 15 }, () => attemptPassword('198.51.103.1', user.account)),
  );
  expect(responses.filter(({ errorCode }) => errorCode === 'WRONG_PASSWORD')).toHaveLength(5);
});

test('counts wrong codes for existing and unknown accounts and requires a challenge', async () => {
  const { user } = await t.register(`${uniqueName()}@example.com`);
  const address = '198.51.104.1';
  const use = (nth: number, challenge?: string) =>
    nth % 2 === 0
      ? withChallenge.call(
          'PUT core/account/reset',
          { account: user.account, code: '000000', newPassword: 'another good one', challenge },
          { address },
        )
      : withChallenge.call(
          'PUT core/account/code',
          { purpose: 'login', target: `${uniqueName()}@example.com`, code: '000000', challenge },
          { address },
        );
  for (let nth = 0; nth < 20; nth++) expect((await use(nth)).errorCode).toBe('WRONG_CODE');
  for (const nth of [0, 1]) {
    expect((await use(nth)).errorCode).toBe('CHALLENGE_REQUIRED');
    expect((await use(nth, await solve())).errorCode).toBe('WRONG_CODE');
  }
  expect((await attemptPassword(address)).errorCode).toBe('CHALLENGE_REQUIRED');
});

test('allows ten attempts at the second factor from all addresses, then notifies the owner and locks', async () => {
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
  const responses = await Promise.all(Array.from({ length: 14 }, (_, nth) => signIn(wrong(), nth)));
  expect(responses.filter(({ errorCode }) => errorCode === 'WRONG_TOTP')).toHaveLength(10);
  const [locked] = responses.filter(({ errorCode }) => errorCode === 'ACCOUNT_LOCKED');
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

test('deletes expired attempt counters', async () => {
  await attemptMany(5, (nth) => attemptCode(`100.65.0.${nth + 1}`, t));
  const count = async () =>
    (await t.app.services.pool.query('select count(*)::int as count from guesses')).rows[0].count;
  expect(await count()).toBeGreaterThan(5);
  advance(13 * 60 * MINUTE);
  await inTransaction(systemCtx(t.app.services), (ctx) => addJob(ctx, 'expire-sign-ins', {}));
  await expect.poll(count).toBe(0);
});
