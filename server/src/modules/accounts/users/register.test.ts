import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('returns the current user and a valid token', async () => {
  const account = uniqueName();
  const answer = await t.call('POST core/user/', { account, password: PASSWORD, displayName: '林砚' });
  expect(answer).toMatchObject({ status: 200, success: true });
  expect(answer.data).toMatchObject({
    account,
    displayName: '林砚',
    curIdentity: 1,
    access: 'user',
    unread: 1,
  });
  expect(answer.data.id).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.token).toMatch(/^[\w-]{43}$/);
  const me = await t.call('GET core/user/', {}, { token: answer.token });
  expect(me.data).toEqual(answer.data);
});

test('stores the account in lower case and refuses a duplicate', async () => {
  const account = uniqueName();
  await t.register(account.toUpperCase());
  const again = await t.call('POST core/user/', { account, password: PASSWORD });
  expect(again).toMatchObject({ status: 200, success: false, errorCode: 'ACCOUNT_TAKEN' });
});

test('accepts one of two concurrent registrations of the same account', async () => {
  const account = uniqueName();
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => t.call('POST core/user/', { account, password: PASSWORD })),
  );
  expect(responses.filter((answer) => answer.success)).toHaveLength(1);
  expect(responses.filter((answer) => answer.errorCode === 'ACCOUNT_TAKEN')).toHaveLength(5);
});

test('accepts an e-mail as account and stores it as the address', async () => {
  const account = `${uniqueName()}@example.com`;
  const { user } = await t.register(account);
  expect(user).toMatchObject({ account, email: account, displayName: account.split('@')[0] });
});

test.each([
  ['a short account', { account: 'abc' }, 'account'],
  ['an account with spaces', { account: 'lin yan' }, 'account'],
  ['an account in Chinese', { account: '林砚林砚' }, 'account'],
  ['no account', { account: undefined }, 'account'],
  ['an invalid address', { account: '"><script>@x.yz' }, 'account'],
  ['two addresses', { account: 'a,b@example.com' }, 'account'],
  ['an account that is a number', { account: 12345678 }, 'account'],
  ['a short password', { password: 'abc1234' }, 'password'],
  ['a common password', { password: 'Password123' }, 'password'],
  ['one character repeated', { password: '!!!!!!!!!!' }, 'password'],
  ['a blank display name', { displayName: '   ' }, 'displayName'],
  ['a long display name', { displayName: '墨'.repeat(31) }, 'displayName'],
  ['an unknown invite code', { inviteCode: 'nobody-has-it' }, 'inviteCode'],
  ['a NUL character', { displayName: 'a\u0000b' }, 'displayName'],
])('refuses %s with a message for the field', async (_what, wrong, field) => {
  const account = uniqueName();
  const answer = await t.call('POST core/user/', { account, password: PASSWORD, ...wrong });
  expect(answer).toMatchObject({ status: 422, success: false, errorCode: 'INVALID' });
  expect(answer.fields?.[field]).toMatch(/[一-鿿]/);
  const signIn = await t.call('POST core/account/login', { account, password: PASSWORD });
  expect(signIn.errorCode).toBe('WRONG_PASSWORD');
});

test('refuses a password equal to the account', async () => {
  const account = uniqueName();
  const answer = await t.call('POST core/user/', { account, password: account });
  expect(answer.fields).toHaveProperty('password');
});

test('links the new user to the inviter', async () => {
  const inviter = await t.register();
  const invited = await t.register(uniqueName(), { inviteCode: inviter.user.inviteCode });
  const { rows } = await t.app.services.pool.query('select invited_by from users where id = $1', [
    invited.user.id,
  ]);
  expect(rows).toEqual([{ invited_by: inviter.user.id }]);
});

test('records trend 8 with the own home page as target', async () => {
  const { user } = await t.register();
  const { rows } = await t.app.services.pool.query(
    'select type, target_kind, target_id from trends where user_id = $1',
    [user.id],
  );
  expect(rows).toEqual([{ type: 8, target_kind: 1, target_id: user.id }]);
});

test('stores passwords and tokens hashed', async () => {
  const { token, user } = await t.register();
  const { rows } = await t.app.services.pool.query(
    `select a.password_hash, encode(st.hash, 'escape') as token
     from accounts a join sessions s on s.user_id = a.user_id join session_tokens st on st.session_id = s.id
     where a.user_id = $1`,
    [user.id],
  );
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('accepts a form-encoded body', async () => {
  const account = uniqueName();
  const response = await t.app.server.inject({
    method: 'POST',
    url: '/api/core/user/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ account, password: PASSWORD }).toString(),
  });
  expect(response.json()).toMatchObject({ success: true, data: { account } });
});
