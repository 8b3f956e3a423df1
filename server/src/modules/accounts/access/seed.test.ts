import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../../../db/client.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { modules } from '../../all.ts';
import { allPermissions, seedAccess } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const screens = modules.flatMap(({ menu = [] }) => menu);
const seed = () => createDb(t.app.services.pool).transaction((tx) => seedAccess(tx, new Date(), screens));
const permissionsOfRole = (
  code: string,
) => `select m.permission from role_menus rm join menus m on m.id = rm.menu_id
  join roles r on r.id = rm.role_id where r.code = '${code}' order by 1`;
const OPERATOR = permissionsOfRole('operator');
const listOperatorPermissions = async () => (await t.query(OPERATOR)).map((row) => row.permission);
const operatorPermissions = [
  'announcement:create',
  'announcement:list',
  'announcement:remove',
  'announcement:update',
  'apply:list',
  'apply:update',
  'category:create',
  'category:remove',
  'category:update',
  'column:create',
  'column:list',
  'column:remove',
  'column:update',
  'comment:list',
  'comment:update',
  'cover:create',
  'cover:list',
  'cover:remove',
  'cover:update',
  'dict:create',
  'dict:list',
  'dict:remove',
  'dict:update',
  'essay:bulk',
  'essay:edit',
  'essay:list',
  'essay:pin',
  'essay:remove',
  'essay:update',
  'friend-link:create',
  'friend-link:list',
  'friend-link:remove',
  'friend-link:update',
  'health:list',
  'media:list',
  'media:remove',
  'member:list',
  'nav:list',
  'nav:update',
  'order:list',
  'page:create',
  'page:list',
  'page:remove',
  'page:update',
  'redirect:create',
  'redirect:list',
  'redirect:remove',
  'redirect:update',
  'report:list',
  'report:update',
  'search-engine:list',
  'search-engine:update',
  'search:list',
  'search:reindex',
  'search:update',
  'setting:list',
  'star:update',
  'stat:list',
  'switch:list',
  'switch:update',
  'tag:list',
  'tag:remove',
  'tag:update',
  'traffic:list',
  'user:list',
  'user:update',
  'word:create',
  'word:list',
  'word:remove',
  'word:update',
];
const snapshot = () => t.query('select * from menus order by id');

test('contains exactly the permissions that calls require', async () => {
  const seeded = await t.query('select permission from menus where permission is not null');
  expect(seeded.map((row) => row.permission).sort()).toEqual(allPermissions);
});

test('creates four built-in roles and grants operator and finance their permissions', async () => {
  expect(await t.query('select code, name, built_in from roles order by id')).toEqual([
    { code: 'super', name: '超级管理员', built_in: true },
    { code: 'auditor', name: '审核员', built_in: true },
    { code: 'operator', name: '运营', built_in: true },
    { code: 'finance', name: '财务', built_in: true },
  ]);
  expect(await listOperatorPermissions()).toEqual(operatorPermissions);
  expect((await t.query(permissionsOfRole('finance'))).map((row) => row.permission)).toEqual(
    allPermissions.filter((each) => /^(finance|ledger|member|order|plan|price|stat|withdraw):/.test(each)),
  );
});

test('changes nothing at the next start or at two concurrent starts', async () => {
  const before = await snapshot();
  await Promise.all([seed(), seed()]);
  expect(await snapshot()).toEqual(before);
  expect(await listOperatorPermissions()).toEqual(operatorPermissions);
});

test('keeps menus that operators renamed, moved, disabled or removed from a role', async () => {
  await t.query("update menus set name = '会员', sort = 9, enabled = false where code = 'user'");
  await t.query("update menus set name = '首页', icon = 'file' where code = 'dashboard'");
  await t.query("update menus set parent_id = null, name = '日志' where permission = 'log:list'");
  await t.query("update roles set name = '编辑', enabled = false where code = 'operator'");
  await t.query(
    `delete from role_menus where menu_id = (select id from menus where permission = 'page:update')`,
  );
  const before = await snapshot();
  await seed();
  expect(await snapshot()).toEqual(before);
  expect(await listOperatorPermissions()).toEqual(
    operatorPermissions.filter((each) => each !== 'page:update'),
  );
  expect(await t.query("select name, enabled from roles where code = 'operator'")).toEqual([
    { name: '编辑', enabled: false },
  ]);
});

test('restores a removed menu at its position, but not in the roles', async () => {
  await t.query("delete from menus where permission = 'user:update'");
  await seed();
  const [returned] = await t.query(
    "select p.permission from menus m join menus p on p.id = m.parent_id where m.permission = 'user:update'",
  );
  expect(returned).toEqual({ permission: 'user:list' });
  expect(await listOperatorPermissions()).not.toContain('user:update');
});

test('restores a removed group only when a menu needs it', async () => {
  const groups = () => t.query("select id from menus where code = 'site'");
  await t.query(
    "update menus set parent_id = null where parent_id = (select id from menus where code = 'site')",
  );
  await t.query("delete from menus where code = 'site'");
  await seed();
  expect(await groups()).toEqual([]);
  await t.query("delete from menus where permission = 'page:list'");
  await seed();
  const [group] = await groups();
  expect(await t.query("select parent_id from menus where permission = 'page:list'")).toEqual([
    { parent_id: group?.id },
  ]);
});

test('adds new menus to an installation of the first release and grants them to its operator', async () => {
  const { connection, drop } = await createTestDatabase();
  const pool = createPool({ ...connection, options: '-c search_path=first_release' });
  const migration = (name: string) =>
    readFile(join(import.meta.dirname, '../../../../migrations', name), 'utf8');
  try {
    await pool.query('create schema first_release');
    await pool.query(await migration('0001_ground.sql'));
    await pool.query(`
      insert into menus (id, parent_id, name, path, icon, permission, kind, sort) values
        (gen_random_uuid(), null, '用户', '', 'user', null, 'group', 0),
        (gen_random_uuid(), null, '系统', '', 'setting', null, 'group', 1);
      insert into menus (id, parent_id, name, path, permission, kind)
        select gen_random_uuid(), id, '用户管理', '/user', 'user:list', 'screen' from menus where name = '用户';
      insert into menus (id, parent_id, name, permission, kind)
        select gen_random_uuid(), id, '修改用户', 'user:update', 'act' from menus where permission = 'user:list';
      insert into menus (id, parent_id, name, path, permission, kind)
        select gen_random_uuid(), id, '操作日志', '/log', 'log:list', 'screen' from menus where name = '系统';
      insert into roles (id, code, name, created_at) select gen_random_uuid(), code, code, now()
        from unnest(array['super', 'auditor', 'operator', 'finance']) as code;
      insert into role_menus select r.id, m.id from roles r, menus m
        where r.code = 'operator' and m.permission = 'user:list'`);
    await pool.query(await migration('0002_access.sql'));
    await createDb(pool).transaction((tx) => seedAccess(tx, new Date(), screens));
    const { rows } = await pool.query(
      'select name from menus where parent_id is null order by sort, name collate "C"',
    );
    expect(rows.map((row) => row.name)).toEqual(['工作台', '开关', '内容', '用户', '系统', '网站', '财务']);
    const held = await pool.query(OPERATOR);
    expect(held.rows.map((row) => row.permission)).toEqual(
      operatorPermissions.filter((each) => each !== 'user:update'),
    );
    const system = await pool.query(
      `select m.name from menus m join menus g on g.id = m.parent_id where g.code = 'system'
        order by m.sort, m.name collate "C"`,
    );
    expect(system.rows.map((row) => row.name)).toEqual([
      '账号',
      '角色',
      '菜单',
      '字典',
      '导入导出',
      '操作日志',
      '站点设置',
      '邮件',
      '外部通知',
      '备份',
      '登录设备',
      '登录记录',
      '封禁地址',
      '任务',
      '系统状态',
    ]);
  } finally {
    await pool.end();
    await drop();
  }
});
