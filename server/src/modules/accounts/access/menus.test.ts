import type { Menu } from '@mozhan/contract/access.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const menuId = async (permission: string): Promise<string> =>
  (await t.query('select id from menus where permission = $1', [permission]))[0].id;
const create = (input: object, token = admin) =>
  t.call('POST core/sys/menu/', { name: '新菜单', kind: 'group', ...input }, { token });
const update = (input: object, token = admin) => t.call('PUT core/sys/menu/', input, { token });
const remove = (id: string, token = admin) => t.call('DELETE core/sys/menu/', { id }, { token });
const listMyMenus = async (token: string) => (await t.call('GET core/sys/menu/mine', {}, { token })).data;

/** Formats a tree as `系统(账号 角色)`. */
const outline = (list: Menu[]): string =>
  list
    .map((each) => (each.children.length > 0 ? `${each.name}(${outline(each.children)})` : each.name))
    .join(' ');

test('returns the full tree in order, or one menu with its children', async () => {
  const { data } = await t.call('GET core/sys/menu/', {}, { token: admin });
  if (!Array.isArray(data)) throw new Error('not a list');
  expect(outline(data)).toBe(
    '工作台(查看统计 查看开站清单 收起开站清单 移除示例内容) 开关(打开或关闭) ' +
      '内容(文章审核 文章(上架与下架文章 代作者写文章 批量修改文章 删除文章 首页置顶文章) 专栏(代作者建专栏 修改专栏 删除专栏) ' +
      '评论(放行与移除评论) 举报(处理举报) ' +
      '封面与横幅(添加封面与横幅 修改封面与横幅 删除封面与横幅) ' +
      '公告(发布公告 修改公告 删除公告) 敏感词(添加敏感词 修改敏感词 删除敏感词) ' +
      '分类(新建分类 删除分类) 标签(改名与合并标签 删除标签) 站内搜索(修改搜索词典 重建索引) 媒体库(清理未使用的文件 修改上传空间)) ' +
      '网站(页面(新建页面 修改页面 删除页面) 导航(修改导航) ' +
      '友情链接(添加友情链接 修改友情链接 删除友情链接) 旧网址跳转(添加与导入跳转 修改跳转 删除跳转) 搜索引擎(修改验证与抓取规则) 访问统计) 用户(用户管理(修改用户) 专家申请(处理专家申请) 码星) ' +
      '财务(订单(退款) 提现(审批提现) 账本 对账与收入(重新对账) 价格设置(新增金额 删除金额) ' +
      '会员与方案(赠送会员 新建会员方案 修改会员方案 删除会员方案)) ' +
      '系统(账号(新建账号 修改账号 删除账号) 角色(新建角色 修改角色 删除角色 设置角色的菜单) ' +
      '菜单(新建菜单 修改菜单 删除菜单) 字典(新建字典与条目 修改字典与条目 删除字典与条目) ' +
      '导入导出(导入与导出 撤销导入与删除记录) 站点设置(修改站点设置) ' +
      '邮件(测试与重发邮件) 外部通知(新建外部通知 修改外部通知与重新投递 删除外部通知) ' +
      '备份(立即备份 修改定时备份 下载备份 删除备份) 操作日志 登录设备(结束登录) 登录记录 封禁地址(封禁地址 修改封禁 解除封禁) 任务(重试任务 删除任务) 系统状态)',
  );
  const one = await t.call('GET core/sys/menu/', { id: await menuId('page:list') }, { token: admin });
  expect(one.data).toMatchObject({
    name: '页面',
    path: '/page',
    icon: 'page',
    permission: 'page:list',
    kind: 'screen',
    enabled: 1,
    children: [
      { name: '新建页面', permission: 'page:create', kind: 'act', children: [] },
      { name: '修改页面', permission: 'page:update', kind: 'act', children: [] },
      { name: '删除页面', permission: 'page:remove', kind: 'act', children: [] },
    ],
  });
  expect((await t.call('GET core/sys/menu/', { id: newId() }, { token: admin })).status).toBe(404);
});

test('creates, updates, moves and removes a menu', async () => {
  const { data: group } = await create({ name: '报表', icon: 'file', sort: 50 });
  const { data: screen } = await create({
    name: '阅读',
    kind: 'screen',
    path: '/read',
    permission: 'read:list',
  });
  expect(group).toMatchObject({ parentId: null, path: '', permission: null, enabled: 1, children: [] });
  const moved = await update({ id: screen.id, parentId: group.id });
  expect(moved.data).toMatchObject({ parentId: group.id, path: '/read', permission: 'read:list' });
  expect((await update({ id: group.id, name: '统计' })).data).toMatchObject({
    name: '统计',
    sort: 50,
    children: [{ id: screen.id }],
  });
  expect((await update({ id: screen.id, permission: null })).data).toMatchObject({ permission: null });
  expect((await remove(group.id)).errorCode).toBe('MENU_HAS_CHILDREN');
  for (const { id } of [screen, group]) expect((await remove(id)).success).toBe(true);
  for (const response of [await remove(group.id), await update({ id: group.id, name: '无' })]) {
    expect(response).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  }
  const log = await t.call(
    'GET core/sys/log/',
    { call: 'PUT core/sys/menu/', pageSize: 3 },
    { token: admin },
  );
  expect(log.data.list[1]).toMatchObject({ before: { name: '报表' }, after: { name: '统计' } });
});

test('rejects an invalid menu with a field error or MENU_MISPLACED', async () => {
  const user = await menuId('user:list');
  const act = await menuId('user:update');
  const { data: group } = await create({});
  const { data: inner } = await create({ parentId: group.id });
  for (const [input, field] of [
    [{ kind: 'act', parentId: user }, 'permission'],
    [{ kind: 'screen' }, 'path'],
    [{ kind: 'screen', path: 'x' }, 'path'],
    [{ parentId: newId() }, 'parentId'],
    [{ permission: 'everything' }, 'permission'],
    [{ name: '' }, 'name'],
    [{ sort: -1 }, 'sort'],
  ] as const) {
    expect(await create(input)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
  }
  for (const input of [
    { kind: 'act', permission: 'x:do' },
    { kind: 'act', permission: 'x:do', parentId: group.id },
    { kind: 'screen', path: '/x', parentId: user },
    { parentId: act },
  ]) {
    expect(await create(input)).toMatchObject({ status: 200, errorCode: 'MENU_MISPLACED' });
  }
  for (const input of [
    { id: group.id, parentId: inner.id },
    { id: group.id, parentId: group.id },
    { id: user, kind: 'group' },
    { id: act, parentId: null },
  ]) {
    expect((await update(input)).errorCode).toBe('MENU_MISPLACED');
  }
  expect(await update({ id: user, path: '' })).toMatchObject({
    status: 422,
    fields: { path: expect.stringMatching(/路径/) },
  });
  expect((await create({ permission: 'user:list' })).errorCode).toBe('PERMISSION_TAKEN');
  expect((await update({ id: inner.id, permission: 'user:list' })).errorCode).toBe('PERMISSION_TAKEN');
});

test('refuses to create, change or remove a menu with a permission that the actor lacks', async () => {
  const { token } = await createStaff(t, ['menu:create', 'menu:update', 'menu:remove', 'log:list']);
  const [page, log] = [await menuId('page:update'), await menuId('log:list')];
  const { data: own } = await create({});
  for (const response of [
    await create({ permission: 'new:list' }, token),
    await update({ id: own.id, permission: 'new:list' }, token),
    await update({ id: page, name: '改名' }, token),
    await update({ id: page, enabled: 0 }, token),
    await update({ id: page, permission: 'log:list' }, token),
    await remove(page, token),
  ]) {
    expect(response).toMatchObject({ status: 200, errorCode: 'GRANT_TOO_MUCH' });
  }
  expect(await t.query('select name, enabled from menus where id = $1', [page])).toEqual([
    { name: '修改页面', enabled: true },
  ]);
  // The actor may edit a menu with an own permission, but not remove the permission from all roles.
  expect((await update({ id: log, name: '日志' }, token)).data).toMatchObject({ name: '日志' });
  for (const response of [await remove(log, token), await update({ id: log, permission: null }, token)]) {
    expect(response).toMatchObject({
      status: 403,
      errorCode: 'FORBIDDEN',
      errorMessage: expect.stringMatching(/超级管理员/),
    });
  }
  await update({ id: log, name: '操作日志' });
});

test('lets a super administrator remove any menu, which revokes its permission', async () => {
  const { token } = await createStaff(t, ['setting:update']);
  const id = await menuId('setting:update');
  expect((await remove(id)).success).toBe(true);
  const me = await t.call('GET core/user/', {}, { token });
  expect(me.data).toMatchObject({ permissions: [] });
});

test('returns the groups and screens of the own roles', async () => {
  const operator = await createStaffWithRole(t, 'operator');
  expect(outline(await listMyMenus(operator.token))).toBe(
    '工作台 开关 内容(文章 专栏 评论 举报 封面与横幅 公告 敏感词 分类 标签 站内搜索 媒体库) 网站(页面 导航 友情链接 旧网址跳转 搜索引擎 访问统计) 用户(用户管理 专家申请 码星) ' +
      '财务(订单 会员与方案) 系统(字典 站点设置 系统状态)',
  );
  const actOnly = await createStaff(t, ['account:create']);
  expect(outline(await listMyMenus(actOnly.token))).toBe('工作台 系统(账号)');
  expect(outline(await listMyMenus((await createStaff(t, [])).token))).toBe('工作台');
  expect(await listMyMenus((await t.register()).token)).toEqual([]);
  expect((await t.call('GET core/sys/menu/mine')).status).toBe(401);
  const all = outline(await listMyMenus(admin));
  expect(all).toBe(
    '工作台 开关 内容(文章审核 文章 专栏 评论 举报 封面与横幅 公告 敏感词 分类 标签 站内搜索 媒体库) 网站(页面 导航 友情链接 旧网址跳转 搜索引擎 访问统计) 用户(用户管理 专家申请 码星) ' +
      '财务(订单 提现 账本 对账与收入 价格设置 会员与方案) ' +
      '系统(账号 角色 菜单 字典 导入导出 站点设置 邮件 外部通知 备份 操作日志 登录设备 登录记录 封禁地址 任务 系统状态)',
  );
});

test('hides a disabled menu but keeps its permission; hides all menus of a disabled role', async () => {
  const staff = await createStaff(t, ['user:list', 'log:list']);
  const id = await menuId('user:list');
  expect(outline(await listMyMenus(staff.token))).toBe('工作台 用户(用户管理) 系统(操作日志)');
  await update({ id, enabled: 0 });
  expect(outline(await listMyMenus(staff.token))).toBe('工作台 系统(操作日志)');
  expect((await t.call('GET core/sys/user/', {}, { token: staff.token })).success).toBe(true);
  await update({ id, enabled: 1 });
  await t.call('PUT core/sys/role/', { id: staff.roleId, enabled: 0 }, { token: admin });
  expect(await listMyMenus(staff.token)).toEqual([]);
});

test('shows a screen without a permission to roles that contain it', async () => {
  const staff = await createStaff(t, ['log:list']);
  const { data: screen } = await create({ name: '手册', kind: 'screen', path: '/manual', sort: 99 });
  expect(outline(await listMyMenus(staff.token))).toBe('工作台 系统(操作日志)');
  const menuIds = [await menuId('log:list'), screen.id];
  await t.call('PUT core/sys/role/menu/', { roleId: staff.roleId, menuIds }, { token: admin });
  expect(outline(await listMyMenus(staff.token))).toBe('工作台 系统(操作日志) 手册');
  await remove(screen.id);
});

test('never creates a cycle when two groups are moved into each other concurrently', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [a, b] = [(await create({})).data.id, (await create({})).data.id];
    const responses = await Promise.all([update({ id: a, parentId: b }), update({ id: b, parentId: a })]);
    expect(responses.map((each) => each.errorCode ?? 'ok').sort()).toEqual(['MENU_MISPLACED', 'ok']);
  }
});

test('either removes a group or adds the child when both happen at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { data: group } = await create({});
    const [removed, child] = await Promise.all([remove(group.id), create({ parentId: group.id })]);
    expect(child.success).toBe(!removed.success);
    expect(await t.query('select 1 from menus where parent_id = $1', [group.id])).toHaveLength(
      child.success ? 1 : 0,
    );
  }
});
