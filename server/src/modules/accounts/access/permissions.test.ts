import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createRole, createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const nameOf = (call: Call) => `${call.method} ${call.path}` as RouteName;
const guarded = calls
  .filter(isStaffCall)
  .filter((call) => /^core\/sys\/(account|role|menu)\//.test(call.path))
  .map((call) => [nameOf(call), call.access] as const);

const newUserId = async () => (await t.register()).user.id;
const group = async () => {
  const { data } = await t.call('POST core/sys/menu/', { name: '一组', kind: 'group' }, { token: admin });
  return data.id;
};
const roleCode = () => `r-${uniqueName()}`;

/** Inputs that a user with only the call's permission may send. */
const inputs: Partial<Record<RouteName, () => object | Promise<object>>> = {
  'GET core/sys/account/': () => ({}),
  'POST core/sys/account/': () => ({ account: uniqueName(), password: 'a long enough one' }),
  'PUT core/sys/account/': async () => ({ id: await newUserId(), displayName: '小雨' }),
  'DELETE core/sys/account/': async () => ({ id: await newUserId() }),
  'GET core/sys/role/': () => ({}),
  'POST core/sys/role/': () => ({ name: '新角色', code: roleCode() }),
  'PUT core/sys/role/': async () => ({ id: await createRole(t, []), name: '改名', enabled: 0 }),
  'DELETE core/sys/role/': async () => ({ id: await createRole(t, []) }),
  'GET core/sys/role/menu/': async () => ({ roleId: await createRole(t, []) }),
  'PUT core/sys/role/menu/': async () => ({ roleId: await createRole(t, []), menuIds: [await group()] }),
  'GET core/sys/menu/': () => ({}),
  'POST core/sys/menu/': () => ({ name: '一组', kind: 'group' }),
  'PUT core/sys/menu/': async () => ({ id: await group(), name: '另一组' }),
  'DELETE core/sys/menu/': async () => ({ id: await group() }),
};

describe.each(guarded)('%s requires %s', (route, permission) => {
  test('returns 401 for visitors and 403 for readers and staff with all other permissions', async () => {
    await expectPermissionRequired(t, [[permission, route, (await inputs[route]?.()) ?? {}]]);
  });

  test('allows a role with only that permission until it is disabled', async () => {
    const { token, roleId } = await createStaff(t, [permission]);
    const input = await inputs[route]?.();
    expect(await t.call(route, input, { token })).toMatchObject({ status: 200, success: true });
    await t.call('PUT core/sys/role/', { id: roleId, enabled: 0 }, { token: admin });
    expect(await t.call(route, input, { token })).toMatchObject({ status: 403, errorCode: 'FORBIDDEN' });
  });
});

test('keeps the permission of a disabled menu', async () => {
  const { token } = await createStaff(t, ['role:list']);
  const { pool } = t.app.services;
  await pool.query("update menus set enabled = false where permission = 'role:list'");
  expect((await t.call('GET core/sys/role/', {}, { token })).success).toBe(true);
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ permissions: ['role:list'] });
  await pool.query('update menus set enabled = true');
});
