import type { Permission } from '@mozhan/contract/client.ts';
import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import type { BuiltInRole, MenuAction, MenuGroup, MenuScreen } from '../../../menu.ts';
import { lockAccess, menuRows } from './queries.ts';
import { SUPER_ROLE } from './rules.ts';
import { type Menu, menus, roleMenus, roles, seededPermissions } from './tables.ts';

const builtInRoles: { code: typeof SUPER_ROLE | BuiltInRole; name: string }[] = [
  { code: SUPER_ROLE, name: '超级管理员' },
  { code: 'auditor', name: '审核员' },
  { code: 'operator', name: '运营' },
  { code: 'finance', name: '财务' },
];

const groups: { code: MenuGroup; name: string; icon: string }[] = [
  { code: 'content', name: '内容', icon: 'file' },
  { code: 'site', name: '网站', icon: 'site' },
  { code: 'user', name: '用户', icon: 'user' },
  { code: 'money', name: '财务', icon: 'wallet' },
  { code: 'system', name: '系统', icon: 'setting' },
];

interface SeedMenu extends Partial<Pick<Menu, 'path' | 'icon'>> {
  name: string;
  kind: Menu['kind'];
  /** Identifies the menu at the next start; menus without a permission use `code`. */
  permission?: Permission;
  code?: string;
  children?: SeedMenu[];
}

const toActionMenu = ({ permission, name }: MenuAction): SeedMenu => ({ kind: 'act', name, permission });

const toScreen = ({ path, name, icon, permission, code, actions = [] }: MenuScreen): SeedMenu => ({
  kind: 'screen',
  path,
  name,
  icon,
  ...(permission !== undefined && { permission }),
  ...(code !== undefined && { code }),
  children: actions.map(toActionMenu),
});

/** Screens without a group come first. */
function toMenuTree(screens: readonly MenuScreen[]): SeedMenu[] {
  const inOrder = screens.toSorted((a, b) => a.position - b.position);
  const of = (group: MenuGroup | null) => inOrder.filter((screen) => screen.group === group).map(toScreen);
  return [
    ...of(null),
    ...groups.map((group): SeedMenu => ({ kind: 'group', ...group, children: of(group.code) })),
  ];
}

/** Runs at every start and adds missing roles and menus; existing ones keep the operators' changes. */
export async function seedAccess(db: Db, now: Date, screens: readonly MenuScreen[]): Promise<void> {
  await lockAccess(db);
  const present = await db
    .select({ id: menus.id, permission: menus.permission, code: menus.code })
    .from(menus);
  const missing = findMissingMenus(
    new Map(present.map((menu) => [menu.permission ?? menu.code ?? menu.id, menu.id])),
    toMenuTree(screens),
    null,
  );
  for (const menu of missing) await menuRows.insert(db, menu);
  const createdRoles = await db
    .insert(roles)
    .values(
      builtInRoles.map(({ code, name }) => ({ id: newId(), code, name, builtIn: true, createdAt: now })),
    )
    .onConflictDoNothing()
    .returning({ code: roles.code });
  await grantNewPermissions(db, screens, new Set(createdRoles.map((role) => role.code)));
}

type NewMenu = typeof menus.$inferInsert;

/** Returns parents before their children. A removed group returns only when a missing menu needs it. */
function findMissingMenus(
  present: ReadonlyMap<string, string>,
  list: SeedMenu[],
  parentId: string | null,
): NewMenu[] {
  return list.flatMap(({ children = [], ...own }, sort) => {
    const found = present.get(own.permission ?? own.code ?? '');
    const id = found ?? newId();
    const below = findMissingMenus(present, children, id);
    const isMissing = found === undefined && (own.kind !== 'group' || below.length > 0);
    return isMissing ? [{ ...own, id, parentId, sort }, ...below] : below;
  });
}

/** Grants each permission that is new to this installation once to its built-in roles. */
async function grantNewPermissions(
  db: Db,
  screens: readonly MenuScreen[],
  newRoles: ReadonlySet<string>,
): Promise<void> {
  const declared = screens.flatMap(({ permission, roles = [], actions = [] }) => [
    ...(permission === undefined ? [] : [{ permission, roles }]),
    ...actions,
  ]);
  const inserted = await db
    .insert(seededPermissions)
    .values(declared.map(({ permission }) => ({ permission })))
    .onConflictDoNothing()
    .returning({ permission: seededPermissions.permission });
  const newPermissions = new Set<string>(inserted.map((row) => row.permission));
  for (const { code } of builtInRoles) {
    const granted = declared
      .filter(
        ({ permission, roles }) =>
          roles.some((role) => role === code) && (newRoles.has(code) || newPermissions.has(permission)),
      )
      .map(({ permission }) => permission);
    if (granted.length === 0) continue;
    const newRows = db
      .select({ roleId: roles.id, menuId: menus.id })
      .from(roles)
      .innerJoin(menus, inArray(menus.permission, granted))
      .where(eq(roles.code, code));
    await db.insert(roleMenus).select(newRows).onConflictDoNothing();
  }
}
