import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const me = (token: string | undefined) => t.call('GET core/user/', {}, { token });
const signInAgain = async (account: string) =>
  (await t.call('POST core/account/login', { account, password: PASSWORD })).token;

test('returns 401 for an invalid token on a protected call and tells the client to delete it', async () => {
  for (const token of ['x', 'A'.repeat(43), 'null']) {
    expect(await me(token)).toMatchObject({ status: 401, errorCode: 'SIGN_IN_REQUIRED', token: '' });
  }
});

test('treats an invalid token on a public call as a visitor and tells the client to delete it', async () => {
  const answer = await t.call('GET core/site/', {}, { token: 'A'.repeat(43) });
  expect(answer).toMatchObject({ status: 200, success: true, token: '' });
  expect(await t.call('GET core/site/')).toMatchObject({ token: undefined });
});

test('renews a token daily and accepts the old one for five minutes after first use of the new one', async () => {
  const { token } = await t.register();
  expect((await me(token)).token).toBeUndefined();
  t.advance(DAY + MINUTE);
  const responses = await Promise.all([me(token), me(token), me(token)]);
  const renewed = responses.map((answer) => answer.token).filter((each) => each !== undefined);
  expect(renewed).toHaveLength(1);
  expect(responses.every((answer) => answer.success)).toBe(true);
  const [next] = renewed;
  expect((await me(next)).success).toBe(true);
  t.advance(4 * MINUTE);
  expect((await me(token)).success).toBe(true);
  t.advance(2 * MINUTE);
  expect((await me(token)).status).toBe(401);
  expect((await me(next)).success).toBe(true);
});

test('renews the old token again when the client never received the new one', async () => {
  const { token } = await t.register();
  t.advance(DAY + MINUTE);
  expect((await me(token)).token).toBeDefined();
  t.advance(DAY + MINUTE);
  const second = await me(token);
  expect(second.success).toBe(true);
  expect(second.token).toBeDefined();
});

test('expires a token after thirty days without use', async () => {
  const idle = await t.register();
  const busy = await t.register();
  let token: string | undefined = busy.token;
  for (let day = 0; day < 32; day++) {
    t.advance(DAY + MINUTE);
    token = (await me(token)).token ?? token;
  }
  expect((await me(idle.token)).status).toBe(401);
  expect((await me(token)).success).toBe(true);
});

test('ends only the current session at sign-out', async () => {
  const { token, user } = await t.register();
  const other = await signInAgain(user.account);
  const out = await t.call('DELETE core/account/login', {}, { token });
  expect(out).toMatchObject({ success: true, token: '' });
  expect((await me(token)).status).toBe(401);
  expect((await me(other)).success).toBe(true);
});

test('ends all sessions when signing out everywhere', async () => {
  const { token, user } = await t.register();
  const other = await signInAgain(user.account);
  const response = await t.app.server.inject({
    method: 'DELETE',
    url: '/api/core/account/login?all=1&t=123',
    headers: { token },
  });
  expect(response.json().success).toBe(true);
  expect((await me(token)).status).toBe(401);
  expect((await me(other)).status).toBe(401);
});

test('requires the old password for a change and ends other sessions', async () => {
  const { token, user } = await t.register();
  const other = await signInAgain(user.account);
  const wrong = await t.call(
    'PUT core/account/password',
    { oldPassword: 'no', newPassword: 'another good one 1' },
    { token },
  );
  expect(wrong).toMatchObject({ status: 401, errorCode: 'WRONG_PASSWORD' });
  expect((await me(other)).success).toBe(true);
  for (const newPassword of [PASSWORD, 'short', '12345678', user.account]) {
    const refused = await t.call(
      'PUT core/account/password',
      { oldPassword: PASSWORD, newPassword },
      { token },
    );
    expect(refused).toMatchObject({ status: 422, fields: { newPassword: expect.any(String) } });
  }
  const right = await t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'another good one 1' },
    { token },
  );
  expect(right.success).toBe(true);
  expect((await me(token)).success).toBe(true);
  expect((await me(other)).status).toBe(401);
  const old = await t.call('POST core/account/login', { account: user.account, password: PASSWORD });
  expect(old.errorCode).toBe('WRONG_PASSWORD');
});

test('ends all sessions when the account is disabled', async () => {
  const { token, user } = await t.register();
  const admin = await t.signInAdmin();
  await t.call('PUT core/sys/user/', { id: user.id, enabled: 0 }, { token: admin });
  expect((await me(token)).status).toBe(401);
  await t.call('PUT core/sys/user/', { id: user.id, enabled: 1 }, { token: admin });
  expect((await me(token)).status).toBe(401);
});

test('ends sessions that start with the old password during its change', async () => {
  const { token, user } = await t.register();
  const signIns = Array.from({ length: 12 }, () =>
    t.call('POST core/account/login', { account: user.account, password: PASSWORD }),
  );
  const change = t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'another good one 1' },
    { token },
  );
  expect((await change).success).toBe(true);
  for (const answer of await Promise.all(signIns)) {
    if (answer.token !== undefined) expect((await me(answer.token)).status).toBe(401);
  }
  expect((await me(token)).success).toBe(true);
});

test('accepts one of two concurrent password changes', async () => {
  const { token } = await t.register();
  const change = (newPassword: string) =>
    t.call('PUT core/account/password', { oldPassword: PASSWORD, newPassword }, { token });
  const responses = await Promise.all([change('the first new one'), change('the second new one')]);
  expect(responses.filter((answer) => answer.success)).toHaveLength(1);
});

test('invalidates a confirmed QR ticket when the password changes', async () => {
  const { token } = await t.register();
  const { data } = await t.call('GET core/user/qrcode/login');
  for (const action of ['scan', 'confirm']) {
    await t.call('PUT core/user/qrcode/login', { ticket: data.ticket, action }, { token });
  }
  await t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'another good one 1' },
    { token },
  );
  const poll = await t.call('POST core/user/login/qrcode', { ticket: data.ticket, secret: data.secret });
  expect(poll).toMatchObject({ token: undefined, data: { status: 'expired' } });
});
