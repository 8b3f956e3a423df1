import type { StaffAccount } from '@mozhan/contract/access.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { ADMIN_PASSWORD, PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { createRole, createStaff, createStaffWithRole } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
  adminId = (await t.query("select user_id from accounts where name = 'admin'"))[0].user_id;
});
afterAll(() => t.close());

const NEW_PASSWORD = 'given out by staff 一';
const create = (input: object = {}, token = admin) =>
  t.call('POST core/sys/account/', { account: uniqueName(), password: NEW_PASSWORD, ...input }, { token });
const update = (input: object, token = admin) => t.call('PUT core/sys/account/', input, { token });
const remove = (id: string, token = admin) => t.call('DELETE core/sys/account/', { id }, { token });
const signIn = (account: string, password: string) =>
  t.call('POST core/account/login', { account, password });
const roleId = async (code: string): Promise<string> =>
  (await t.query('select id from roles where code = $1', [code]))[0].id;
const isSignedIn = async (token: string) => (await t.call('GET core/user/', {}, { token })).success;
const list = async (input: object, token = admin) => {
  const { data } = await t.call('GET core/sys/account/', input, { token });
  if (!('list' in data)) throw new Error('not a page');
  return data;
};
const ids = (accounts: StaffAccount[]) => accounts.map((each) => each.id);

describe('an account created by staff', () => {
  test('has its roles and must change the password after the first sign-in', async () => {
    const operator = await roleId('operator');
    const account = uniqueName();
    const made = await create({ account: account.toUpperCase(), roleIds: [operator, operator] });
    expect(made.data).toMatchObject({
      account,
      email: null,
      displayName: account,
      enabled: 1,
      roles: [{ id: operator, code: 'operator', enabled: 1 }],
      roleIds: [operator],
      totpOn: false,
      mustChangePassword: true,
    });
    const { token, data } = await signIn(account, NEW_PASSWORD);
    expect(data).toMatchObject({ id: made.data.id, access: 'admin', mustChangePassword: true });
    expect(await t.query('select text from notices where user_id = $1 order by id', [made.data.id])).toEqual(
      expect.arrayContaining([{ text: expect.stringMatching(/^欢迎/) }]),
    );
    expect(await t.call('GET core/sys/user/', {}, { token })).toMatchObject({
      errorCode: 'PASSWORD_CHANGE_REQUIRED',
    });
    const passwords = { oldPassword: NEW_PASSWORD, newPassword: PASSWORD };
    await t.call('PUT core/account/password', passwords, { token });
    expect((await t.call('GET core/sys/user/', {}, { token })).success).toBe(true);
  });

  test('can be created disabled and with an e-mail as its name', async () => {
    const account = `${uniqueName()}@site.test`;
    const { data } = await create({ account, displayName: '小雨', enabled: 0 });
    expect(data).toMatchObject({ account, email: account, displayName: '小雨', enabled: 0, roles: [] });
    expect((await signIn(account, NEW_PASSWORD)).errorCode).toBe('ACCOUNT_DISABLED');
  });

  test('is validated like a registration', async () => {
    const { user } = await t.register();
    expect((await create({ account: user.account })).errorCode).toBe('ACCOUNT_TAKEN');
    for (const [input, field] of [
      [{ account: 'x' }, 'account'],
      [{ password: '12345678' }, 'password'],
      [{ account: 'same-as-this', password: 'same-as-this' }, 'password'],
      [{ password: 'short' }, 'password'],
      [{ roleIds: [newId()] }, 'roleIds'],
      [{ displayName: '\u202e' }, 'displayName'],
    ] as const) {
      expect(await create(input)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
    }
    expect(await t.query("select 1 from accounts where name = 'same-as-this'")).toEqual([]);
  });
});

describe('updating an account', () => {
  test('changes only what is given', async () => {
    const { user, token } = await t.register();
    const named = await update({ id: user.id, displayName: '何青青' });
    expect(named.data).toMatchObject({ account: user.account, displayName: '何青青', enabled: 1 });
    const account = uniqueName();
    expect((await update({ id: user.id, account })).data).toMatchObject({ account, displayName: '何青青' });
    expect((await signIn(account, PASSWORD)).success).toBe(true);
    expect((await signIn(user.account, PASSWORD)).status).toBe(401);
    expect(await isSignedIn(token)).toBe(true);
    expect((await update({ id: user.id, account: 'admin' })).errorCode).toBe('ACCOUNT_TAKEN');
    expect((await update({ id: newId(), displayName: '无' })).status).toBe(404);
  });

  test('sets an unverified e-mail when the name is one, unless another account uses it', async () => {
    const [first, second] = [await t.register(), await t.register()];
    const email = `${uniqueName()}@site.test`;
    expect((await update({ id: first.user.id, account: email })).data).toMatchObject({
      account: email,
      email,
    });
    expect(await t.query('select email_verified from accounts where email = $1', [email])).toEqual([
      { email_verified: false },
    ]);
    await update({ id: first.user.id, account: uniqueName() });
    expect((await update({ id: second.user.id, account: email })).errorCode).toBe('ACCOUNT_TAKEN');
  });

  test('ends all sessions, removes the lock and requires a change when staff set the password', async () => {
    const { user, token } = await t.register();
    for (const password of ['12345678', user.account]) {
      expect(await update({ id: user.id, password })).toMatchObject({ status: 422 });
    }
    for (let failure = 0; failure < 20; failure += 1) await signIn(user.account, 'a wrong one');
    expect((await signIn(user.account, PASSWORD)).status).toBe(429);
    expect((await update({ id: user.id, password: NEW_PASSWORD })).data).toMatchObject({
      mustChangePassword: true,
    });
    expect(await isSignedIn(token)).toBe(false);
    const again = await signIn(user.account, NEW_PASSWORD);
    expect(again.data).toMatchObject({ mustChangePassword: true });
    const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: admin });
    expect(log.data.list[0]).toMatchObject({
      call: 'PUT core/sys/account/',
      target: `account:${user.id}`,
      input: { id: user.id, password: '***' },
    });
    expect(JSON.stringify(await t.query('select * from operations'))).not.toContain(NEW_PASSWORD);
  });

  test('ends all sessions and refuses sign-in while disabled', async () => {
    const { user, token } = await t.register();
    expect((await update({ id: user.id, enabled: 0 })).data).toMatchObject({ enabled: 0 });
    expect(await isSignedIn(token)).toBe(false);
    expect((await signIn(user.account, PASSWORD)).errorCode).toBe('ACCOUNT_DISABLED');
    await update({ id: user.id, enabled: 1 });
    expect((await signIn(user.account, PASSWORD)).success).toBe(true);
  });

  test('applies role changes from the next request on and logs the role names', async () => {
    const { user, token } = await t.register();
    const staffUsers = () => t.call('GET core/sys/user/', {}, { token });
    expect((await staffUsers()).status).toBe(403);
    await update({ id: user.id, roleIds: [await roleId('operator')] });
    expect((await staffUsers()).success).toBe(true);
    await update({ id: user.id, roleIds: [] });
    expect((await staffUsers()).status).toBe(403);
    const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: admin });
    expect(log.data.list[0]).toMatchObject({ before: { roles: ['运营'] }, after: { roles: [] } });
    const unknown = await update({ id: user.id, roleIds: [newId()], displayName: '不会改' });
    expect(unknown).toMatchObject({ status: 422, fields: { roleIds: expect.any(String) } });
    expect((await t.call('GET core/user/', {}, { token })).data).not.toMatchObject({
      displayName: '不会改',
    });
  });

  test('removes all roles and disables the account but keeps the user', async () => {
    const member = await createStaffWithRole(t, 'operator');
    expect((await remove(member.user.id)).data).toEqual({ done: true });
    expect(await isSignedIn(member.token)).toBe(false);
    const { data } = await t.call('GET core/sys/account/', { id: member.user.id }, { token: admin });
    expect(data).toMatchObject({ account: member.user.account, enabled: 0, roles: [], roleIds: [] });
    expect((await t.call('GET core/user/public', { id: member.user.id })).success).toBe(true);
    expect((await remove(newId())).status).toBe(404);
  });
});

describe('staff cannot grant or change more than their own permissions', () => {
  const all = ['account:create', 'account:update', 'account:remove', 'log:list'] as const;

  test('assigns only roles within the own permissions, never the super role', async () => {
    const manager = await createStaff(t, all);
    const within = await createRole(t, ['log:list']);
    const beyond = await createRole(t, ['log:list', 'page:list']);
    const sleeping = await createRole(t, ['page:list']);
    await t.query('update roles set enabled = false where id = $1', [sleeping]);
    const { user } = await t.register();
    for (const id of [beyond, sleeping, await roleId('super')]) {
      const account = uniqueName();
      for (const response of [
        await create({ account, roleIds: [within, id] }, manager.token),
        await update({ id: user.id, roleIds: [within, id], displayName: '不会改' }, manager.token),
        await update({ id: manager.user.id, roleIds: [manager.roleId, id] }, manager.token),
      ]) {
        expect(response).toMatchObject({ status: 200, errorCode: 'GRANT_TOO_MUCH' });
      }
      expect(await t.query('select 1 from accounts where name = $1', [account])).toEqual([]);
    }
    expect(await t.query('select 1 from account_roles where user_id = $1', [user.id])).toEqual([]);
    expect((await create({ roleIds: [within] }, manager.token)).success).toBe(true);
    expect((await update({ id: user.id, roleIds: [within] }, manager.token)).success).toBe(true);
  });

  test('refuses every change of an account with more permissions', async () => {
    const manager = await createStaff(t, all);
    const beyond = await createStaff(t, ['log:list', 'page:list']);
    for (const id of [beyond.user.id, adminId]) {
      for (const response of [
        await update({ id, displayName: '新名字' }, manager.token),
        await update({ id, password: NEW_PASSWORD }, manager.token),
        await update({ id, enabled: 0 }, manager.token),
        await update({ id, roleIds: [] }, manager.token),
        await remove(id, manager.token),
      ]) {
        expect(response).toMatchObject({ status: 200, errorCode: 'GRANT_TOO_MUCH' });
      }
    }
    expect(await isSignedIn(beyond.token)).toBe(true);
    expect((await signIn('admin', ADMIN_PASSWORD)).success).toBe(true);
    const within = await createStaff(t, ['log:list']);
    expect((await update({ id: within.user.id, enabled: 0 }, manager.token)).success).toBe(true);
    expect((await remove(within.user.id, manager.token)).success).toBe(true);
  });

  test('refuses to disable or remove the own account', async () => {
    const manager = await createStaff(t, [...all, 'user:update']);
    const { id } = manager.user;
    for (const response of [
      await update({ id, enabled: 0 }, manager.token),
      await remove(id, manager.token),
      await t.call('PUT core/sys/user/', { id, enabled: 0 }, { token: manager.token }),
    ]) {
      expect(response).toMatchObject({
        status: 403,
        errorCode: 'FORBIDDEN',
        errorMessage: expect.stringMatching(/自己/),
      });
    }
    expect(await isSignedIn(manager.token)).toBe(true);
  });

  test('refuses to disable staff with more permissions as a user', async () => {
    const weak = await createStaff(t, ['user:update']);
    const strong = await createStaff(t, ['log:list']);
    const response = await t.call(
      'PUT core/sys/user/',
      { id: strong.user.id, enabled: 0 },
      { token: weak.token },
    );
    expect(response).toMatchObject({ status: 403, errorCode: 'FORBIDDEN' });
  });
});

describe('the last super administrator', () => {
  const SUPERS = `select a.user_id from accounts a join account_roles ar on ar.user_id = a.user_id
    join roles r on r.id = ar.role_id where r.code = 'super' and r.enabled and a.enabled`;

  test('cannot be disabled, lose the role or be removed', async () => {
    for (const response of [
      await update({ id: adminId, enabled: 0 }),
      await update({ id: adminId, roleIds: [] }),
      await update({ id: adminId, roleIds: [await roleId('operator')] }),
      await remove(adminId),
      await t.call('PUT core/sys/user/', { id: adminId, enabled: 0 }, { token: admin }),
    ]) {
      expect(response).toMatchObject({ status: 200, errorCode: 'LAST_SUPER_ADMIN' });
    }
    // A disabled super administrator does not count.
    const second = await createStaffWithRole(t, 'super');
    await update({ id: second.user.id, enabled: 0 });
    expect((await update({ id: adminId, roleIds: [] })).errorCode).toBe('LAST_SUPER_ADMIN');
    expect(await t.query(SUPERS)).toEqual([{ user_id: adminId }]);
    expect(await isSignedIn(admin)).toBe(true);
    await remove(second.user.id);
  });

  test('allows one of two to be removed, but not by themselves', async () => {
    const second = await createStaffWithRole(t, 'super');
    expect((await update({ id: second.user.id, enabled: 0 }, second.token)).errorCode).toBe('FORBIDDEN');
    expect((await update({ id: second.user.id, roleIds: [] }, second.token)).success).toBe(true);
    expect(await t.query(SUPERS)).toEqual([{ user_id: adminId }]);
  });

  type Attack = (id: string, token: string) => Promise<{ success: boolean; errorCode: string | undefined }>;
  const disable: Attack = (id, token) => update({ id, enabled: 0 }, token);
  const removeRoles: Attack = (id, token) => update({ id, roleIds: [] }, token);
  const disableUser: Attack = (id, token) => t.call('PUT core/sys/user/', { id, enabled: 0 }, { token });
  const removeUser: Attack = (id, token) => remove(id, token);

  test.each<[string, Attack, Attack]>([
    ['disable each other', disable, disable],
    ['remove the roles of each other', removeRoles, removeRoles],
    ['remove each other', removeUser, removeUser],
    ['one disables, one removes the roles', disable, removeRoles],
    ['one disables as a user, one removes', disableUser, removeUser],
    ['disable each other as users', disableUser, disableUser],
  ])('keeps one with two concurrent requests: %s', async (_, byFirst, bySecond) => {
    for (let round = 0; round < 3; round += 1) {
      const [first, second] = [await createStaffWithRole(t, 'super'), await createStaffWithRole(t, 'super')];
      await t.query(`delete from account_roles where user_id = $1`, [adminId]);
      const responses = await Promise.all([
        byFirst(second.user.id, first.token),
        bySecond(first.user.id, second.token),
      ]);
      await t.query(
        `insert into account_roles select $1, id from roles where code = 'super' on conflict do nothing`,
        [adminId],
      );
      const left = await t.query(SUPERS);
      expect(responses.filter((each) => each.success)).toHaveLength(1);
      expect(left).toHaveLength(2);
      await t.query('delete from account_roles where user_id = any($1)', [[first.user.id, second.user.id]]);
    }
  });
});

describe('the list of accounts', () => {
  test('lists accounts with roles in both orders by page', async () => {
    const people = [await t.register(), await createStaffWithRole(t, 'operator'), await t.register()];
    const newest = people.map((each) => each.user.id).reverse();
    const first = await list({ pageSize: 2 });
    expect(ids(first.list)).toEqual(newest.slice(0, 2));
    expect(first.list.map((each) => each.roles.map((role) => role.code))).toEqual([[], ['operator']]);
    const second = await list({ pageSize: 1, cursor: first.next });
    expect(ids(second.list)).toEqual(newest.slice(2));
    expect(first.total).toBe((await t.query('select count(*)::int as count from accounts'))[0].count);
    const oldest = await list({ pageSize: 1, sort: 'createdAt', order: 0 });
    expect(ids(oldest.list)).toEqual([adminId]);
    const next = await list({ pageSize: 1, order: 0, cursor: oldest.next });
    expect((next.list[0]?.id ?? '') > adminId).toBe(true);
  });

  test('finds accounts by the start of account, e-mail or name and escapes wildcards', async () => {
    const name = uniqueName();
    const { data } = await create({ account: `${name}@site.test`, displayName: `林${name}` });
    await t.app.services.pool.query('update accounts set name = $1 where user_id = $2', [
      `x${name}`,
      data.id,
    ]);
    for (const keyword of [name.slice(0, -1), name.toUpperCase(), `x${name}`.slice(0, -1), `林${name}`]) {
      expect(ids((await list({ keyword })).list)).toEqual([data.id]);
    }
    for (const keyword of ['%', '_', 'site.test']) expect((await list({ keyword })).total).toBe(0);
  });

  test('filters by role, staff, enabled and their combination', async () => {
    const role = await createRole(t, ['log:list']);
    const member = await t.register();
    const disabled = await t.register();
    for (const { user } of [member, disabled]) await update({ id: user.id, roleIds: [role] });
    await update({ id: disabled.user.id, enabled: 0 });
    expect(ids((await list({ roleId: role })).list)).toEqual([disabled.user.id, member.user.id]);
    expect(ids((await list({ roleId: role, enabled: 1 })).list)).toEqual([member.user.id]);
    expect(ids((await list({ roleId: role, enabled: 0, staff: 1 })).list)).toEqual([disabled.user.id]);
    expect((await list({ roleId: newId() })).total).toBe(0);
    expect((await list({ enabled: 0 })).list.every((each) => each.enabled === 0)).toBe(true);
    const reader = await t.register();
    const staff = await list({ staff: 1, pageSize: 100 });
    expect(ids(staff.list)).toEqual(expect.arrayContaining([adminId, member.user.id]));
    expect(ids(staff.list)).not.toContain(reader.user.id);
    expect(ids((await list({ staff: 0, pageSize: 1 })).list)).toEqual([reader.user.id]);
    await t.query('update roles set enabled = false where id = $1', [role]);
    expect(ids((await list({ staff: 1, pageSize: 100 })).list)).not.toContain(member.user.id);
  });

  test('returns one by id, 404 for an unknown id and 422 for a bad cursor', async () => {
    const one = await t.call('GET core/sys/account/', { id: adminId }, { token: admin });
    expect(one.data).toMatchObject({ account: 'admin', roles: [{ code: 'super' }] });
    expect((await t.call('GET core/sys/account/', { id: newId() }, { token: admin })).status).toBe(404);
    const wrong = await t.call('GET core/sys/account/', { cursor: 'x' }, { token: admin });
    expect(wrong).toMatchObject({ status: 422, fields: { cursor: expect.any(String) } });
  });
});
