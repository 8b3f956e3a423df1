import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const signIn = (account: string, password: string, address = '203.0.113.1', more = {}) =>
  t.call('POST core/account/login', { account, password, ...more }, { address });

test('signs in with the right password; returns the same 401 for a wrong one and an unknown account', async () => {
  const { user } = await t.register();
  const right = await signIn(user.account, PASSWORD);
  expect(right).toMatchObject({ status: 200, success: true, data: { id: user.id } });
  expect(right.token).toMatch(/^[\w-]{43}$/);
  const wrong = await signIn(user.account, 'not my password');
  const unknown = await signIn(uniqueName(), 'not my password');
  expect(wrong).toMatchObject({ status: 401, errorCode: 'WRONG_PASSWORD', token: undefined });
  expect(unknown).toMatchObject({
    status: 401,
    errorCode: 'WRONG_PASSWORD',
    errorMessage: wrong.errorMessage,
  });
});

test('notifies the user about a new device only', async () => {
  const { user, token } = await t.register();
  const unread = async () => (await t.call('GET core/user/notice/unread', {}, { token })).data.total;
  const before = await unread();
  const agent = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36',
  };
  for (let i = 0; i < 2; i++) {
    await t.call(
      'POST core/account/login',
      { account: user.account, password: PASSWORD },
      { headers: agent },
    );
  }
  expect(await unread()).toBe(before + 1);
  const list = await t.call('GET core/user/notice', {}, { token });
  expect(list.data.list[0]).toMatchObject({
    kind: 'system',
    text: expect.stringContaining('Chrome · Windows'),
  });
  const headless = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/150.0 Safari/537.36';
  await t.call(
    'POST core/account/login',
    { account: user.account, password: PASSWORD },
    { headers: { 'user-agent': headless } },
  );
  const { data } = await t.call('GET core/user/notice', {}, { token });
  expect(data.list[0]?.text).toContain('Chrome（无界面） · Linux');
});

test('locks the account for the address for fifteen minutes after twenty failures', async () => {
  const { user } = await t.register();
  const address = '203.0.113.20';
  for (let i = 0; i < 20; i++) expect((await signIn(user.account, 'wrong', address)).status).toBe(401);
  const locked = await signIn(user.account, PASSWORD, address);
  expect(locked).toMatchObject({ status: 429, errorCode: 'ACCOUNT_LOCKED' });
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(800);
  expect((await signIn(user.account, PASSWORD, '203.0.113.21')).success).toBe(true);
  t.advance(15 * 60_000 + 1000);
  expect((await signIn(user.account, PASSWORD, address)).success).toBe(true);
});

test('checks at most twenty concurrent attempts', async () => {
  const { user } = await t.register();
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => signIn(user.account, 'wrong', '203.0.113.22')),
  );
  expect(responses.filter((response) => response.status === 401)).toHaveLength(20);
  expect(responses.filter((response) => response.errorCode === 'ACCOUNT_LOCKED')).toHaveLength(20);
});

test('resets the failures after a successful sign-in', async () => {
  const { user } = await t.register();
  const address = '203.0.113.23';
  for (let i = 0; i < 4; i++) await signIn(user.account, 'wrong', address);
  await signIn(user.account, PASSWORD, address);
  for (let i = 0; i < 19; i++) await signIn(user.account, 'wrong', address);
  expect((await signIn(user.account, PASSWORD, address)).success).toBe(true);
});

test('reports a disabled account only with the right password', async () => {
  const { user } = await t.register();
  const admin = await t.signInAdmin();
  await t.call('PUT core/sys/user/', { id: user.id, enabled: 0 }, { token: admin });
  expect((await signIn(user.account, PASSWORD)).errorCode).toBe('ACCOUNT_DISABLED');
  expect((await signIn(user.account, 'wrong')).errorCode).toBe('WRONG_PASSWORD');
});

test('sets the region of the profile at sign-in from a Chinese address', async () => {
  const { user } = await t.register();
  await signIn(user.account, PASSWORD, '120.24.78.68');
  const profile = await t.call('GET core/user/public', { id: user.id });
  expect(profile.data.region).toBe('广东');
});
