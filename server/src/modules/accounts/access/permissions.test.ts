import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { makeRole, makeStaff } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const nameOf = (call: Call) => `${call.method} ${call.path}` as RouteName;
const declared: readonly Call[] = calls;
const guarded = declared
  .filter(isStaffCall)
  .filter((call) => /^core\/sys\/(account|role|menu)\//.test(call.path))
  .map((call) => [nameOf(call), call.who] as const);

const person = async () => (await t.register()).user.id;
const group = async () => {
  const { data } = await t.call('POST core/sys/menu/', { name: '一组', kind: 'group' }, { token: admin });
  return data.id;
};
const roleCode = () => `r-${uniqueName()}`;

/** For each call an input that somebody with its permission and no other may give. */
const inputs: Partial<Record<RouteName, () => object | Promise<object>>> = {
  'GET core/sys/account/': () => ({}),
  'POST core/sys/account/': () => ({ account: uniqueName(), password: 'a long enough one' }),
  'PUT core/sys/account/': async () => ({ id: await person(), displayName: '小雨' }),
  'DELETE core/sys/account/': async () => ({ id: await person() }),
  'GET core/sys/role/': () => ({}),
  'POST core/sys/role/': () => ({ name: '新角色', code: roleCode() }),
  'PUT core/sys/role/': async () => ({ id: await makeRole(t, []), name: '改名', enabled: 0 }),
  'DELETE core/sys/role/': async () => ({ id: await makeRole(t, []) }),
  'GET core/sys/role/menu/': async () => ({ roleId: await makeRole(t, []) }),
  'PUT core/sys/role/menu/': async () => ({ roleId: await makeRole(t, []), menuIds: [await group()] }),
  'GET core/sys/menu/': () => ({}),
  'POST core/sys/menu/': () => ({ name: '一组', kind: 'group' }),
  'PUT core/sys/menu/': async () => ({ id: await group(), name: '另一组' }),
  'DELETE core/sys/menu/': async () => ({ id: await group() }),
};

describe.each(guarded)('%s needs %s', (route, permission) => {
  test('not signed in: 401; a reader, or staff with every other permission: 403', async () => {
    await expectPermissionRequired(t, [[permission, route, (await inputs[route]?.()) ?? {}]]);
  });

  test('a role with that permission alone is enough, until it is disabled', async () => {
    const { token, roleId } = await makeStaff(t, [permission]);
    const input = await inputs[route]?.();
    expect(await t.call(route, input, { token })).toMatchObject({ status: 200, success: true });
    await t.call('PUT core/sys/role/', { id: roleId, enabled: 0 }, { token: admin });
    expect(await t.call(route, input, { token })).toMatchObject({ status: 403, errorCode: 'FORBIDDEN' });
  });
});

test('a disabled menu is only hidden: its permission is held all the same', async () => {
  const { token } = await makeStaff(t, ['role:list']);
  const { pool } = t.app.services;
  await pool.query("update menus set enabled = false where permission = 'role:list'");
  expect((await t.call('GET core/sys/role/', {}, { token })).success).toBe(true);
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ permissions: ['role:list'] });
  await pool.query('update menus set enabled = true');
});
