import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { createRole, createStaff, createStaffWithRole } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const roleId = async (code: string): Promise<string> =>
  (await t.query('select id from roles where code = $1', [code]))[0].id;
const menuIds = async (...permissions: string[]): Promise<string[]> =>
  (await t.query('select id from menus where permission = any($1) order by id', [permissions])).map(
    (row) => row.id,
  );
const create = (code = `r-${uniqueName()}`) =>
  t.call('POST core/sys/role/', { name: '编辑', code }, { token: admin });
const update = (input: object, token = admin) => t.call('PUT core/sys/role/', input, { token });
const remove = (id: string, token = admin) => t.call('DELETE core/sys/role/', { id }, { token });
const setMenus = (input: object, token = admin) => t.call('PUT core/sys/role/menu/', input, { token });

test('creates, updates, lists with account counts, and removes a role', async () => {
  const made = await create('editor');
  expect(made.data).toMatchObject({
    name: '编辑',
    code: 'editor',
    enabled: 1,
    builtIn: false,
    accountCount: 0,
  });
  const { id } = made.data;
  expect((await update({ id, name: '主编', code: 'chief-editor', enabled: 0 })).data).toMatchObject({
    name: '主编',
    code: 'chief-editor',
    enabled: 0,
  });
  expect((await update({ id, enabled: 1 })).data).toMatchObject({ name: '主编', enabled: 1 });
  const { user } = await t.register();
  await t.query('insert into account_roles values ($1, $2)', [user.id, id]);
  const one = await t.call('GET core/sys/role/', { id }, { token: admin });
  expect(one.data).toMatchObject({ code: 'chief-editor', accountCount: 1 });
  expect(await remove(id)).toMatchObject({ success: false, errorCode: 'ROLE_IN_USE' });
  await t.query('delete from account_roles where role_id = $1', [id]);
  expect((await remove(id)).success).toBe(true);
  expect((await remove(id)).status).toBe(404);
});

test('lists roles by creation time, keyword and page', async () => {
  const list = async (input: object) => {
    const { data } = await t.call('GET core/sys/role/', input, { token: admin });
    if (!('list' in data)) throw new Error('not a page');
    return data;
  };
  const first = await list({ pageSize: 3 });
  expect(first.list.map((each) => each.code)).toEqual(['super', 'auditor', 'operator']);
  expect((await list({ keyword: 'oper', enabled: 1 })).total).toBe(1);
  expect((await list({ keyword: 'oper', enabled: 0 })).total).toBe(0);
  expect(first.list[0]).toMatchObject({ builtIn: true, accountCount: 1 });
  const second = await list({ pageSize: 3, cursor: first.next });
  expect(second.list[0]?.code).toBe('finance');
  const last = await list({ pageSize: 1, order: 1 });
  const behind = await list({ pageSize: 1, order: 1, cursor: last.next });
  expect((last.list[0]?.id ?? '') > (behind.list[0]?.id ?? '')).toBe(true);
  expect((await list({ keyword: '财务' })).list.map((each) => each.code)).toEqual(['finance']);
  expect((await list({ keyword: 'AUDIT' })).list.map((each) => each.code)).toEqual(['auditor']);
  expect((await list({ keyword: '%' })).total).toBe(0);
});

test('rejects an invalid role by field and a duplicate code', async () => {
  const bad = await t.call('POST core/sys/role/', { name: ' ', code: 'A B' }, { token: admin });
  expect(bad).toMatchObject({ status: 422, fields: { name: expect.any(String), code: expect.any(String) } });
  expect(await create('auditor')).toMatchObject({ status: 200, errorCode: 'ROLE_CODE_TAKEN' });
  const { data } = await create();
  expect((await update({ id: data.id, code: 'finance' })).errorCode).toBe('ROLE_CODE_TAKEN');
  for (const response of [
    await update({ id: newId(), name: '无' }),
    await remove(newId()),
    await setMenus({ roleId: newId(), menuIds: [] }),
    await t.call('GET core/sys/role/', { id: newId() }, { token: admin }),
    await t.call('GET core/sys/role/menu/', { roleId: newId() }, { token: admin }),
  ]) {
    expect(response).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  }
});

test.each(['super', 'auditor', 'operator', 'finance'])(
  'refuses to change the code of %s or to remove it',
  async (code) => {
    const id = await roleId(code);
    expect((await update({ id, code: 'another' })).errorCode).toBe('ROLE_BUILT_IN');
    expect((await remove(id)).errorCode).toBe('ROLE_BUILT_IN');
    const [{ name }] = await t.query('select name from roles where id = $1', [id]);
    expect((await update({ id, code, name: '另一个名字' })).data).toMatchObject({ code, name: '另一个名字' });
    await update({ id, name });
  },
);

test('refuses to disable the super role or to set its menus', async () => {
  const id = await roleId('super');
  expect((await update({ id, enabled: 0 })).errorCode).toBe('LAST_SUPER_ADMIN');
  expect((await update({ id, enabled: 1 })).success).toBe(true);
  expect((await setMenus({ roleId: id, menuIds: [] })).errorCode).toBe('ROLE_BUILT_IN');
  const auditor = await roleId('auditor');
  expect((await update({ id: auditor, enabled: 0 })).data).toMatchObject({ enabled: 0 });
  expect((await update({ id: auditor, enabled: 1 })).data).toMatchObject({ enabled: 1 });
});

test('replaces all menus of a role and applies them from the next request on', async () => {
  const member = await createStaff(t, ['log:list']);
  const expected = await menuIds('role:list', 'menu:list');
  expect((await t.call('GET core/sys/role/', {}, { token: member.token })).status).toBe(403);
  const response = await setMenus({ roleId: member.roleId, menuIds: [...expected, ...expected] });
  expect(response.data).toEqual(expected);
  const read = await t.call('GET core/sys/role/menu/', { roleId: member.roleId }, { token: admin });
  expect(read.data).toEqual(expected);
  expect((await t.call('GET core/sys/role/', {}, { token: member.token })).success).toBe(true);
  expect((await t.call('GET core/sys/log/', {}, { token: member.token })).status).toBe(403);
  const unknown = await setMenus({ roleId: member.roleId, menuIds: [...expected, newId()] });
  expect(unknown).toMatchObject({ status: 422, fields: { menuIds: expect.any(String) } });
  const log = await t.call('GET core/sys/log/', { call: 'PUT core/sys/role/menu/' }, { token: admin });
  expect(log.data.list[0]).toMatchObject({
    target: `role:${member.roleId}`,
    before: { menus: ['操作日志'] },
    after: { menus: ['角色', '菜单'] },
  });
});

test('refuses to add or remove menus with permissions that the actor lacks', async () => {
  const granter = await createStaff(t, ['role:grant', 'log:list']);
  const target = await createRole(t, ['user:list']);
  const [users] = await menuIds('user:list');
  const [logs] = await menuIds('log:list');
  const [roles] = await menuIds('role:list');
  const granted = () => menuNames(target);
  const menuNames = async (id: string) =>
    (await t.query('select menu_id from role_menus where role_id = $1 order by 1', [id])).map(
      (row) => row.menu_id,
    );
  const before = await granted();
  for (const expected of [[], [users, roles], [logs]]) {
    const response = await setMenus({ roleId: target, menuIds: expected }, granter.token);
    expect(response).toMatchObject({ status: 200, errorCode: 'GRANT_TOO_MUCH' });
  }
  // This applies to the actor's own role too.
  const own = await setMenus(
    { roleId: granter.roleId, menuIds: [...(await menuNames(granter.roleId)), roles] },
    granter.token,
  );
  expect(own.errorCode).toBe('GRANT_TOO_MUCH');
  expect(await granted()).toEqual(before);
  const both = await setMenus({ roleId: target, menuIds: [users, logs] }, granter.token);
  expect(both.success).toBe(true);
  expect((await setMenus({ roleId: target, menuIds: [users] }, granter.token)).success).toBe(true);
});

test('refuses to change or remove a role with more permissions', async () => {
  const manager = await createStaff(t, ['role:update', 'role:remove']);
  const strong = await createRole(t, ['account:update']);
  await update({ id: strong, enabled: 0 });
  for (const response of [
    await update({ id: strong, enabled: 1 }, manager.token),
    await update({ id: strong, name: '临时工' }, manager.token),
    await update({ id: strong, code: 'harmless' }, manager.token),
    await remove(strong, manager.token),
  ]) {
    expect(response).toMatchObject({
      status: 403,
      errorCode: 'FORBIDDEN',
      errorMessage: expect.stringMatching(/权限比你多/),
    });
  }
  expect((await update({ id: strong, name: '改名' })).data).toMatchObject({ enabled: 0, name: '改名' });
});

test('revokes the permissions of a disabled role from the next request on', async () => {
  const member = await createStaffWithRole(t, 'operator');
  const id = member.roleId;
  expect((await t.call('GET core/sys/user/', {}, { token: member.token })).success).toBe(true);
  await update({ id, enabled: 0 });
  expect((await t.call('GET core/sys/user/', {}, { token: member.token })).status).toBe(403);
  expect((await t.call('GET core/user/', {}, { token: member.token })).data).toMatchObject({
    access: 'user',
  });
  await update({ id, enabled: 1 });
});

test('records changes in the operation log', async () => {
  const { data } = await create();
  await update({ id: data.id, name: '主编' });
  await remove(data.id);
  const log = await t.call('GET core/sys/log/', { pageSize: 3 }, { token: admin });
  expect(log.data.list.map((each) => [each.call, each.target, each.before, each.after])).toEqual([
    ['DELETE core/sys/role/', `role:${data.id}`, expect.objectContaining({ name: '主编' }), null],
    [
      'PUT core/sys/role/',
      `role:${data.id}`,
      { role: data.code, name: '编辑', enabled: true },
      { role: data.code, name: '主编', enabled: true },
    ],
    ['POST core/sys/role/', `role:${data.id}`, null, expect.objectContaining({ name: '编辑' })],
  ]);
});

test('either removes a role or assigns it when both happen at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { data } = await create();
    const { user } = await t.register();
    const [removed, given] = await Promise.all([
      remove(data.id),
      t.call('PUT core/sys/account/', { id: user.id, roleIds: [data.id] }, { token: admin }),
    ]);
    const granted = await t.query('select 1 from account_roles where user_id = $1', [user.id]);
    if (removed.success) expect(given).toMatchObject({ status: 422, fields: { roleIds: expect.anything() } });
    else expect(removed.errorCode).toBe('ROLE_IN_USE');
    expect(given.success).toBe(!removed.success);
    expect(granted).toHaveLength(given.success ? 1 : 0);
  }
});
