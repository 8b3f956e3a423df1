import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

async function staff(role: string) {
  const person = await t.register();
  await t.app.services.pool.query(
    'insert into account_roles (user_id, role_id) select $1, id from roles where code = $2',
    [person.user.id, role],
  );
  return person;
}

test('creates the first administrator as staff and writer with every permission', async () => {
  const token = await t.signInAdmin();
  const { data } = await t.call('GET core/user/', {}, { token });
  expect(data).toMatchObject({
    account: 'admin',
    access: 'admin',
    curIdentity: 2,
    mustChangePassword: false,
    permissions: expect.arrayContaining(['user:list', 'user:update', 'log:list']),
  });
});

test('grants the permissions of the role’s menus unless the role is disabled', async () => {
  const { pool } = t.app.services;
  const operator = await staff('operator');
  const auditor = await staff('auditor');
  const list = (token: string) => t.call('GET core/sys/user/', {}, { token });
  expect((await list(operator.token)).success).toBe(true);
  expect((await t.call('GET core/sys/log/', {}, { token: operator.token })).status).toBe(403);
  expect((await list(auditor.token)).status).toBe(403);
  await pool.query("update roles set enabled = false where code = 'operator'");
  expect((await list(operator.token)).status).toBe(403);
  expect((await t.call('GET core/user/', {}, { token: operator.token })).data).toMatchObject({
    access: 'user',
  });
  await pool.query("update roles set enabled = true where code = 'operator'");
});

test('logs a change of identity with before and after', async () => {
  const { user, token } = await t.register();
  const operator = await staff('operator');
  const response = await t.call(
    'PUT core/sys/user/',
    { id: user.id, curIdentity: 2 },
    { token: operator.token },
  );
  expect(response.data).toMatchObject({ id: user.id, curIdentity: 2, enabled: 1 });
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ curIdentity: 2 });
  const admin = await t.signInAdmin();
  const log = await t.call('GET core/sys/log/', { userId: operator.user.id }, { token: admin });
  expect(log.data).toMatchObject({
    total: 1,
    list: [
      {
        user: { id: operator.user.id },
        call: 'PUT core/sys/user/',
        target: `user:${user.id}`,
        address: '127.0.0.1',
        input: { id: user.id, curIdentity: 2 },
        before: { curIdentity: 1, enabled: true },
        after: { curIdentity: 2, enabled: true },
      },
    ],
  });
  expect(log.data.list[0]?.requestId).toBe(response.headers['x-request-id']);
});

test('writes no log entry for a refused change', async () => {
  const admin = await t.signInAdmin();
  const total = async () => (await t.call('GET core/sys/log/', {}, { token: admin })).data.total;
  const before = await total();
  expect(
    (await t.call('PUT core/sys/user/', { id: '0'.repeat(32), enabled: 0 }, { token: admin })).status,
  ).toBe(404);
  expect((await t.call('PUT core/sys/user/', { id: 'x', enabled: 0 }, { token: admin })).status).toBe(422);
  expect(await total()).toBe(before);
});

test('refuses to disable the last super administrator, even with concurrent requests', async () => {
  const { pool } = t.app.services;
  const first = await t.signInAdmin();
  const me = await t.call('GET core/user/', {}, { token: first });
  const firstId = 'account' in me.data ? me.data.id : '';
  const disable = (id: string, token: string) => t.call('PUT core/sys/user/', { id, enabled: 0 }, { token });
  expect((await disable(firstId, first)).errorCode).toBe('LAST_SUPER_ADMIN');

  const second = await staff('super');
  const responses = await Promise.all([disable(firstId, second.token), disable(second.user.id, first)]);
  expect(responses.filter((response) => response.success)).toHaveLength(1);
  const { rows } = await pool.query(
    `select count(*)::int as count from accounts a join account_roles ar on ar.user_id = a.user_id
     join roles r on r.id = ar.role_id where r.code = 'super' and a.enabled`,
  );
  expect(rows[0].count).toBe(1);
  await pool.query('update accounts set enabled = true');
  await pool.query('delete from account_roles where user_id = $1', [second.user.id]);
});

test('lists users newest first by page and finds them by name or account', async () => {
  const token = await t.signInAdmin();
  const { user } = await t.register(uniqueName(), { displayName: '何青青' });
  const newest = await t.call('GET core/sys/user/', { pageSize: 1 }, { token });
  expect(newest.data.list[0]).toMatchObject({ id: user.id, account: user.account, enabled: 1 });
  const second = await t.call(
    'GET core/sys/user/',
    { pageSize: 1, cursor: newest.data.next ?? '' },
    { token },
  );
  expect(second.data.list[0]?.id).not.toBe(user.id);
  // A later part of the name matches too.
  for (const keyword of [user.account, '何青', '青青']) {
    const found = await t.call('GET core/sys/user/', { keyword }, { token });
    expect(found.data.list.map((each) => each.id)).toContain(user.id);
  }
});

test('requires a change of a generated administrator password', async () => {
  const bare = await startTestApp({ config: { adminPassword: undefined } });
  const response = await bare.call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  expect(response.status).toBe(401);
  const { rows } = await bare.app.services.pool.query('select must_change_password from accounts');
  expect(rows).toEqual([{ must_change_password: true }]);
  await bare.close();
});

test('refuses an operator who changes a super administrator', async () => {
  const operator = await staff('operator');
  const second = await staff('super');
  const response = await t.call(
    'PUT core/sys/user/',
    { id: second.user.id, enabled: 0 },
    { token: operator.token },
  );
  expect(response).toMatchObject({ status: 403, errorCode: 'FORBIDDEN' });
});
