import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Ctx } from '../../ctx.ts';
import type { Db } from '../../db/client.ts';
import { newId } from '../../db/id.ts';
import { accountRoles, menus, roleMenus, roles } from './tables.ts';

/** Holds every permission, whatever its menus say. */
export const SUPER = 'super';

interface SeedRole {
  code: string;
  name: string;
  permissions: string[];
}
const seedRoles: SeedRole[] = [
  { code: SUPER, name: '超级管理员', permissions: [] },
  { code: 'auditor', name: '审核员', permissions: [] },
  { code: 'operator', name: '运营', permissions: ['user:list', 'user:update'] },
  { code: 'finance', name: '财务', permissions: [] },
];

interface SeedMenu {
  name: string;
  kind: 'group' | 'screen' | 'act';
  path?: string;
  icon?: string;
  permission?: string;
  children?: SeedMenu[];
}
const seedMenus: SeedMenu[] = [
  {
    name: '用户',
    kind: 'group',
    icon: 'user',
    children: [
      {
        name: '用户管理',
        kind: 'screen',
        path: '/user',
        permission: 'user:list',
        children: [{ name: '修改用户', kind: 'act', permission: 'user:update' }],
      },
    ],
  },
  {
    name: '系统',
    kind: 'group',
    icon: 'setting',
    children: [{ name: '操作日志', kind: 'screen', path: '/log', permission: 'log:list' }],
  },
];

/** Roles and menus of the first start; what is there already stays as operators left it. */
export async function seedAccess(db: Db, now: Date): Promise<void> {
  await insertMenus(db, null, seedMenus);
  for (const role of seedRoles) {
    const inserted = await db
      .insert(roles)
      .values({ id: newId(), code: role.code, name: role.name, createdAt: now })
      .onConflictDoNothing()
      .returning({ id: roles.id });
    const roleId = inserted[0]?.id;
    if (roleId === undefined || role.permissions.length === 0) continue;
    const held = await db
      .select({ id: menus.id })
      .from(menus)
      .where(inArray(menus.permission, role.permissions));
    await db.insert(roleMenus).values(held.map((menu) => ({ roleId, menuId: menu.id })));
  }
}

async function insertMenus(db: Db, parentId: string | null, list: SeedMenu[]): Promise<void> {
  for (const [sort, menu] of list.entries()) {
    const { children = [], ...own } = menu;
    const same =
      own.permission === undefined
        ? and(
            eq(menus.name, own.name),
            isNull(menus.permission),
            parentId === null ? isNull(menus.parentId) : eq(menus.parentId, parentId),
          )
        : eq(menus.permission, own.permission);
    const [found] = await db.select({ id: menus.id }).from(menus).where(same);
    const id = found?.id ?? newId();
    if (found === undefined) await db.insert(menus).values({ id, parentId, sort, ...own });
    await insertMenus(db, id, children);
  }
}

export async function grantRole(ctx: Ctx, userId: string, code: string): Promise<void> {
  const [role] = await ctx.db.select({ id: roles.id }).from(roles).where(eq(roles.code, code));
  if (role === undefined) throw new Error(`no role ${code}`);
  await ctx.db.insert(accountRoles).values({ userId, roleId: role.id }).onConflictDoNothing();
}
