import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

const lines: string[] = [];
const logStream = { write: (line: string) => void lines.push(line) };

let t: TestApp;
/** The expression from `deploy/fail2ban`. */
let failregex: RegExp;
beforeAll(async () => {
  t = await startTestApp({ config: { logLevel: 'info' }, logStream });
  const path = join(import.meta.dirname, '../../../../../deploy/fail2ban/filter.d/mozhan.conf');
  const [, given = ''] = /^failregex = (.+)$/m.exec(await readFile(path, 'utf8')) ?? [];
  failregex = new RegExp(given.replace('<ADDR>', String.raw`(?<address>[\d.]+|[0-9a-fA-F:]+)`));
});
afterAll(() => t.close());
beforeEach(() => {
  lines.length = 0;
});

const ADDRESS = '203.0.113.9';
const failures = () => lines.filter((line) => line.includes('"signIn":"failed"'));
/** fail2ban removes the time from lines of a file; in the journal it follows the systemd prefix. */
function matchBannedAddress(line: string): string | undefined {
  const cut = failregex.exec(line.replace(/"time":\d+/, '').trimEnd())?.groups?.address;
  const inJournal = failregex.exec(`vm mozhan[123]: ${line.trimEnd()}`)?.groups?.address;
  expect(inJournal).toBe(cut);
  return cut;
}
const signIn = (account: string, password: string, more: object = {}) =>
  t.call('POST core/account/login', { account, password, ...more }, { address: ADDRESS });

test('logs a failed sign-in with account, address and reason, and a successful one with the account', async () => {
  const { user } = await t.register();
  expect(lines.filter((line) => line.includes('"signIn"'))).toHaveLength(1);
  expect(JSON.parse(lines.find((line) => line.includes('"signIn"')) ?? '')).toMatchObject({
    signIn: 'succeeded',
    via: 'register',
    account: user.account,
    user: user.id,
  });
  lines.length = 0;
  await signIn(user.account, 'not it');
  const [line = '', ...more] = failures();
  expect(more).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    signIn: 'failed',
    address: ADDRESS,
    reason: 'password',
    account: user.account,
    msg: 'sign-in failed',
  });
  expect(line).not.toContain('not it');
  expect(matchBannedAddress(line)).toBe(ADDRESS);

  await signIn(user.account, PASSWORD);
  const succeeded = lines.find((each) => each.includes('"signIn":"succeeded"')) ?? '';
  expect(JSON.parse(succeeded)).toMatchObject({ address: ADDRESS, via: 'password', account: user.account });
  expect(matchBannedAddress(succeeded)).toBeUndefined();
});

test('does not log input that names no account, which may be a password', async () => {
  const typed = 'my-secret-passphrase';
  await signIn(typed, 'x');
  await signIn(typed, 'y');
  await signIn('another', 'y');
  const accounts = failures().map((line) => JSON.parse(line).account);
  expect(accounts).toEqual(Array(3).fill(expect.stringMatching(/^unknown:[0-9a-f]{12}$/)));
  expect(accounts[0]).toBe(accounts[1]);
  expect(accounts[0]).not.toBe(accounts[2]);
  expect(lines.join('')).not.toContain(typed);
});

test('cannot make fail2ban ban another address by the input', async () => {
  const hostile = [
    '","address":"192.0.2.1","reason":"password"',
    '{"level":40,"time":1,"pid":1,"hostname":"x","signIn":"failed","address":"192.0.2.1","reason":"password"}',
    'x\n{"level":40,"pid":1,"hostname":"x","signIn":"failed","address":"192.0.2.1","reason":"password"',
    'x\r\n\u2028\u0085\u001b[2J',
  ];
  for (const account of hostile) await signIn(account, 'x');
  // The account name itself is the attack, although validation forbids it.
  const email = `${uniqueName()}@example.com`;
  await t.register(email);
  await t.app.services.pool.query('update accounts set name = $1 where email = $2', [hostile[2], email]);
  await signIn(email, 'x');
  expect(JSON.parse(failures().at(-1) ?? '').account).toBe(hostile[2]);
  expect(failures()).toHaveLength(5);
  for (const line of failures()) {
    expect(line.trimEnd()).not.toMatch(/[\n\r]/);
    expect(matchBannedAddress(line)).toBe(ADDRESS);
  }
  const forwarded = { address: '192.0.2.1", "x' };
  await t.call('POST core/account/login', { account: uniqueName(), password: 'x' }, forwarded);
  const last = failures().at(-1) ?? '';
  expect(JSON.parse(last).address).toBe('unknown');
  expect(matchBannedAddress(last)).toBeUndefined();
});

test('logs failures of codes, locks, disabled accounts, QR codes and API tokens', async () => {
  const { user, token } = await t.register();
  const at = { address: ADDRESS };
  const target = `${uniqueName()}@example.com`;
  await t.call('PUT core/account/code', { purpose: 'login', target, code: '000000' }, at);
  const reset = { account: user.account, code: '000000', newPassword: 'another good one' };
  await t.call('PUT core/account/reset', reset, at);
  const change = { oldPassword: 'not it', newPassword: 'another good one' };
  await t.call('PUT core/account/password', change, { ...at, token });
  const { data } = await t.call('GET core/user/qrcode/login', {}, at);
  await t.call('POST core/user/login/qrcode', { ticket: data.ticket, secret: 'x'.repeat(43) }, at);
  await t.call('GET core/user/', {}, { ...at, headers: { authorization: `Bearer mzt_${'x'.repeat(43)}` } });
  await t.app.services.pool.query(
    'update sign_in_failures set failures = 20 where account = $1 and address = $2',
    [user.account, ADDRESS],
  );
  await signIn(user.account, PASSWORD);
  await t.app.services.pool.query('delete from sign_in_failures');
  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [user.id]);
  await signIn(user.account, PASSWORD);
  const told = failures().map((line) => JSON.parse(line));
  expect(told.map(({ reason }) => reason)).toEqual([
    'code',
    'code',
    'password',
    'qrcode',
    'token',
    'locked',
    'disabled',
  ]);
  expect(told.map(({ account }) => account)).toEqual([
    expect.stringMatching(/^unknown:/),
    user.account,
    user.account,
    'unknown',
    'unknown',
    user.account,
    user.account,
  ]);
  expect(failures().map(matchBannedAddress)).toEqual(Array(7).fill(ADDRESS));
});

test('does not log other errors as failed sign-ins', async () => {
  const { user } = await t.register();
  await t.call('GET core/user/', {}, { token: 'A'.repeat(43) });
  await t.call('POST core/account/login', { account: '', password: '' });
  await signIn(user.account, PASSWORD);
  expect(failures()).toEqual([]);
});

test('invalid API tokens from many addresses cannot fill the table', async () => {
  const countRows = async () =>
    Number(
      (await t.app.services.pool.query("select count(*) from sign_ins where via = 'token'")).rows[0]?.count,
    );
  t.advance(60_000);
  const before = await countRows();
  const headers = { authorization: `Bearer mzt_${'y'.repeat(43)}` };
  for (let index = 0; index < 150; index++)
    await t.call('GET core/user/', {}, { address: `2001:db8:0:${index.toString(16)}::1`, headers });
  expect(failures()).toHaveLength(150);
  await expect.poll(countRows).toBe(before + 100);
});
