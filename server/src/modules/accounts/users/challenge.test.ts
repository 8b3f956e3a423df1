import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { challenge: true } });
});
afterAll(() => t.close());

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

async function solve(): Promise<string> {
  const { data } = await t.call('GET core/account/challenge');
  const challenge = data.challenge as unknown as Challenge;
  return encode({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
}

const register = (challenge?: string) =>
  t.call('POST core/user/', { account: uniqueName(), password: PASSWORD, challenge });

test('accepts a solved challenge for registration once', async () => {
  const solved = await solve();
  expect((await register()).errorCode).toBe('CHALLENGE_REQUIRED');
  expect((await register(solved)).success).toBe(true);
  expect((await register(solved)).errorCode).toBe('CHALLENGE_FAILED');
});

test('accepts one of two concurrent uses of a solution', async () => {
  const solved = await solve();
  const responses = await Promise.all([register(solved), register(solved), register(solved)]);
  expect(responses.filter((response) => response.success)).toHaveLength(1);
});

test('rejects invalid input, a wrong solution and an easier challenge', async () => {
  expect((await register('???')).errorCode).toBe('CHALLENGE_FAILED');
  expect((await register(encode({ challenge: 1 }))).errorCode).toBe('CHALLENGE_FAILED');
  const solved = JSON.parse(Buffer.from(await solve(), 'base64').toString());
  const wrong = { ...solved, solution: { ...solved.solution, derivedKey: '00'.repeat(32) } };
  expect((await register(encode(wrong))).errorCode).toBe('CHALLENGE_FAILED');
  const easier = structuredClone(solved);
  easier.challenge.parameters.cost = 1;
  expect((await register(encode(easier))).errorCode).toBe('CHALLENGE_FAILED');
  expect((await register(encode(solved))).success).toBe(true);
});

test('rejects an expired challenge', async () => {
  const solved = await solve();
  t.advance(11 * 60_000);
  expect((await register(solved)).errorCode).toBe('CHALLENGE_FAILED');
});

test('requires a challenge for sign-in after five failures', async () => {
  const registered = await register(await solve());
  const account = registered.data.account;
  const signIn = (password: string, challenge?: string) =>
    t.call('POST core/account/login', { account, password, challenge });
  for (let i = 0; i < 5; i++) expect((await signIn('wrong')).errorCode).toBe('WRONG_PASSWORD');
  expect((await signIn(PASSWORD)).errorCode).toBe('CHALLENGE_REQUIRED');
  expect((await signIn(PASSWORD, await solve())).success).toBe(true);
  expect((await signIn(PASSWORD)).success).toBe(true);
});
