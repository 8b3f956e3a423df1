import type { Permission } from '@mozhan/contract/client.ts';
import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../../db/client.ts';
import { newId } from '../../db/id.ts';
import { insertMenu, lockAccess } from './queries.ts';
import { SUPER } from './rules.ts';
import { type Menu, menus, roleMenus, roles, seededPermissions } from './tables.ts';

interface SeedRole {
  code: string;
  name: string;
  permissions: Permission[];
}
const seedRoles: SeedRole[] = [
  { code: SUPER, name: '超级管理员', permissions: [] },
  {
    code: 'auditor',
    name: '审核员',
    permissions: [
      'stat:list',
      'essay:list',
      'essay:audit',
      'comment:list',
      'comment:update',
      'report:list',
      'report:update',
      'apply:list',
      'apply:update',
      'word:list',
    ],
  },
  {
    code: 'operator',
    name: '运营',
    permissions: [
      'stat:list',
      'user:list',
      'user:update',
      'essay:list',
      'essay:update',
      'essay:remove',
      'column:list',
      'column:update',
      'column:remove',
      'comment:list',
      'comment:update',
      'report:list',
      'report:update',
      'apply:list',
      'apply:update',
      'star:update',
      'cover:list',
      'cover:create',
      'cover:update',
      'cover:remove',
      'announcement:list',
      'announcement:create',
      'announcement:update',
      'announcement:remove',
      'word:list',
      'word:create',
      'word:update',
      'word:remove',
      'dict:list',
      'dict:create',
      'dict:update',
      'dict:remove',
      'category:create',
      'category:update',
      'category:remove',
      'tag:list',
      'tag:update',
      'tag:remove',
      'page:list',
      'page:update',
      'setting:list',
      'order:list',
      'member:list',
      'health:list',
    ],
  },
  {
    code: 'finance',
    name: '财务',
    permissions: [
      'stat:list',
      'order:list',
      'order:refund',
      'withdraw:list',
      'withdraw:update',
      'ledger:list',
      'finance:list',
      'finance:update',
      'price:create',
      'price:update',
      'price:remove',
      'member:list',
      'member:update',
      'plan:create',
      'plan:update',
      'plan:remove',
    ],
  },
];

interface SeedMenu extends Partial<Pick<Menu, 'path' | 'icon'>> {
  name: string;
  kind: Menu['kind'];
  /** How it is known again: by the permission it carries, else by a code. */
  permission?: Permission;
  code?: string;
  children?: SeedMenu[];
}

const act = (permission: Permission, name: string): SeedMenu => ({ kind: 'act', name, permission });
const screen = (
  path: string,
  name: string,
  icon: string,
  permission: Permission,
  ...children: SeedMenu[]
): SeedMenu => ({ kind: 'screen', path, name, icon, permission, children });
const group = (code: string, name: string, icon: string, ...children: SeedMenu[]): SeedMenu => ({
  kind: 'group',
  code,
  name,
  icon,
  children,
});

const seedMenus: SeedMenu[] = [
  {
    kind: 'screen',
    code: 'dashboard',
    path: '/',
    name: '工作台',
    icon: 'dashboard',
    children: [act('stat:list', '查看统计')],
  },
  group(
    'content',
    '内容',
    'file',
    screen('/audit', '文章审核', 'audit', 'essay:audit'),
    screen(
      '/essay',
      '文章',
      'file',
      'essay:list',
      act('essay:update', '上架与下架文章'),
      act('essay:remove', '删除文章'),
    ),
    screen(
      '/column',
      '专栏',
      'book',
      'column:list',
      act('column:update', '修改专栏'),
      act('column:remove', '删除专栏'),
    ),
    screen('/comment', '评论', 'comment', 'comment:list', act('comment:update', '放行与移除评论')),
    screen('/report', '举报', 'warning', 'report:list', act('report:update', '处理举报')),
    screen(
      '/cover',
      '封面与横幅',
      'picture',
      'cover:list',
      act('cover:create', '添加封面与横幅'),
      act('cover:update', '修改封面与横幅'),
      act('cover:remove', '删除封面与横幅'),
    ),
    screen(
      '/announcement',
      '公告',
      'notice',
      'announcement:list',
      act('announcement:create', '发布公告'),
      act('announcement:update', '修改公告'),
      act('announcement:remove', '删除公告'),
    ),
    screen(
      '/word',
      '敏感词',
      'stop',
      'word:list',
      act('word:create', '添加敏感词'),
      act('word:update', '修改敏感词'),
      act('word:remove', '删除敏感词'),
    ),
    screen(
      '/category',
      '分类',
      'tag',
      'category:update',
      act('category:create', '新建分类'),
      act('category:remove', '删除分类'),
    ),
    screen(
      '/tag',
      '标签',
      'tags',
      'tag:list',
      act('tag:update', '改名与合并标签'),
      act('tag:remove', '删除标签'),
    ),
    screen('/page', '说明页面', 'page', 'page:list', act('page:update', '修改说明页面')),
  ),
  group(
    'user',
    '用户',
    'user',
    screen('/user', '用户管理', 'user', 'user:list', act('user:update', '修改用户')),
    screen('/apply', '专家申请', 'idcard', 'apply:list', act('apply:update', '处理专家申请')),
    screen('/star', '码星', 'star', 'star:update'),
  ),
  group(
    'money',
    '财务',
    'wallet',
    screen('/order', '订单', 'order', 'order:list', act('order:refund', '退款')),
    screen('/withdraw', '提现', 'bank', 'withdraw:list', act('withdraw:update', '审批提现')),
    screen('/ledger', '账本', 'ledger', 'ledger:list'),
    screen('/finance', '对账与收入', 'chart', 'finance:list', act('finance:update', '重新对账')),
    screen(
      '/price',
      '价格设置',
      'price',
      'price:update',
      act('price:create', '新增金额'),
      act('price:remove', '删除金额'),
    ),
    screen(
      '/member',
      '会员与方案',
      'crown',
      'member:list',
      act('member:update', '赠送会员'),
      act('plan:create', '新建会员方案'),
      act('plan:update', '修改会员方案'),
      act('plan:remove', '删除会员方案'),
    ),
  ),
  group(
    'system',
    '系统',
    'setting',
    screen(
      '/account',
      '账号',
      'team',
      'account:list',
      act('account:create', '新建账号'),
      act('account:update', '修改账号'),
      act('account:remove', '删除账号'),
    ),
    screen(
      '/role',
      '角色',
      'lock',
      'role:list',
      act('role:create', '新建角色'),
      act('role:update', '修改角色'),
      act('role:remove', '删除角色'),
      act('role:grant', '设置角色的菜单'),
    ),
    screen(
      '/menu',
      '菜单',
      'menu',
      'menu:list',
      act('menu:create', '新建菜单'),
      act('menu:update', '修改菜单'),
      act('menu:remove', '删除菜单'),
    ),
    screen(
      '/dict',
      '字典',
      'book',
      'dict:list',
      act('dict:create', '新建字典与条目'),
      act('dict:update', '修改字典与条目'),
      act('dict:remove', '删除字典与条目'),
    ),
    screen(
      '/transfer',
      '导入导出',
      'transfer',
      'transfer:list',
      act('transfer:create', '导入与导出'),
      act('transfer:remove', '撤销导入与删除记录'),
    ),
    screen('/setting', '站点设置', 'setting', 'setting:list', act('setting:update', '修改站点设置')),
    screen(
      '/webhook',
      '外部通知',
      'webhook',
      'webhook:list',
      act('webhook:create', '新建外部通知'),
      act('webhook:update', '修改外部通知与重新投递'),
      act('webhook:remove', '删除外部通知'),
    ),
    screen(
      '/backup',
      '备份',
      'backup',
      'backup:list',
      act('backup:create', '立即备份'),
      act('backup:update', '修改定时备份'),
      act('backup:download', '下载备份'),
      act('backup:remove', '删除备份'),
    ),
    screen('/log', '操作日志', 'log', 'log:list'),
    screen('/session', '登录设备', 'device', 'session:list', act('session:remove', '结束登录')),
    screen('/job', '任务', 'task', 'job:list', act('job:update', '重试任务'), act('job:remove', '删除任务')),
    screen('/health', '系统状态', 'health', 'health:list'),
  ),
];

/** At every start: adds the roles and menus that are missing; what is there stays as operators left it. */
export async function seedAccess(db: Db, now: Date): Promise<void> {
  await lockAccess(db);
  const present = await db
    .select({ id: menus.id, permission: menus.permission, code: menus.code })
    .from(menus);
  const missing = missingMenus(
    new Map(present.map((menu) => [menu.permission ?? menu.code ?? menu.id, menu.id])),
    seedMenus,
    null,
  );
  for (const menu of missing) await insertMenu(db, menu);
  const made = await db
    .insert(roles)
    .values(seedRoles.map(({ code, name }) => ({ id: newId(), code, name, builtIn: true, createdAt: now })))
    .onConflictDoNothing()
    .returning({ code: roles.code });
  await grantFresh(db, new Set(made.map((role) => role.code)));
}

type NewMenu = typeof menus.$inferInsert;

/** Parents before their children; a group that operators emptied and removed returns only when it is needed. */
function missingMenus(
  present: ReadonlyMap<string, string>,
  list: SeedMenu[],
  parentId: string | null,
): NewMenu[] {
  return list.flatMap(({ children = [], ...own }, sort) => {
    const found = present.get(own.permission ?? own.code ?? '');
    const id = found ?? newId();
    const below = missingMenus(present, children, id);
    const isWanted = found === undefined && (own.kind !== 'group' || below.length > 0);
    return isWanted ? [{ ...own, id, parentId, sort }, ...below] : below;
  });
}

/** A permission new to this installation goes to the built-in roles meant to have it, once. */
async function grantFresh(db: Db, newRoles: ReadonlySet<string>): Promise<void> {
  const inserted = await db
    .insert(seededPermissions)
    .values(allPermissions(seedMenus).map((permission) => ({ permission })))
    .onConflictDoNothing()
    .returning({ permission: seededPermissions.permission });
  const fresh = new Set<string>(inserted.map((row) => row.permission));
  for (const role of seedRoles) {
    const wanted = newRoles.has(role.code)
      ? role.permissions
      : role.permissions.filter((each) => fresh.has(each));
    if (wanted.length === 0) continue;
    const given = db
      .select({ roleId: roles.id, menuId: menus.id })
      .from(roles)
      .innerJoin(menus, inArray(menus.permission, wanted))
      .where(eq(roles.code, role.code));
    await db.insert(roleMenus).select(given).onConflictDoNothing();
  }
}

const allPermissions = (list: SeedMenu[]): Permission[] =>
  list.flatMap(({ permission, children = [] }) => [
    ...(permission === undefined ? [] : [permission]),
    ...allPermissions(children),
  ]);
