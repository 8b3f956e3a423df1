import type { Permission } from '@mozhan/contract/client.ts';
import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import type { BuiltInRole, MenuAct, MenuGroup, MenuScreen } from '../../../menu.ts';
import { lockAccess, menuRows } from './queries.ts';
import { SUPER } from './rules.ts';
import { type Menu, menus, roleMenus, roles, seededPermissions } from './tables.ts';

const builtInRoles: { code: typeof SUPER | BuiltInRole; name: string }[] = [
  { code: SUPER, name: '超级管理员' },
  { code: 'auditor', name: '审核员' },
  { code: 'operator', name: '运营' },
  { code: 'finance', name: '财务' },
];

const groups: { code: MenuGroup; name: string; icon: string }[] = [
  { code: 'content', name: '内容', icon: 'file' },
  { code: 'user', name: '用户', icon: 'user' },
  { code: 'money', name: '财务', icon: 'wallet' },
  { code: 'system', name: '系统', icon: 'setting' },
];

interface SeedMenu extends Partial<Pick<Menu, 'path' | 'icon'>> {
  name: string;
  kind: Menu['kind'];
  /** How it is known again: by the permission it carries, else by a code. */
  permission?: Permission;
  code?: string;
  children?: SeedMenu[];
}

const toAct = ({ permission, name }: MenuAct): SeedMenu => ({ kind: 'act', name, permission });

const toScreen = ({ path, name, icon, permission, code, acts = [] }: MenuScreen): SeedMenu => ({
  kind: 'screen',
  path,
  name,
  icon,
  ...(permission !== undefined && { permission }),
  ...(code !== undefined && { code }),
  children: acts.map(toAct),
});

/** Screens that belong to no group come first. */
function toTree(screens: readonly MenuScreen[]): SeedMenu[] {
  const inOrder = screens.toSorted((a, b) => a.position - b.position);
  const of = (group: MenuGroup | null) => inOrder.filter((screen) => screen.group === group).map(toScreen);
  return [
    ...of(null),
    ...groups.map((group): SeedMenu => ({ kind: 'group', ...group, children: of(group.code) })),
  ];
}

/** At every start: adds the roles and menus that are missing; what is there stays as operators left it. */
export async function seedAccess(db: Db, now: Date, screens: readonly MenuScreen[]): Promise<void> {
  await lockAccess(db);
  const present = await db
    .select({ id: menus.id, permission: menus.permission, code: menus.code })
    .from(menus);
  const missing = missingMenus(
    new Map(present.map((menu) => [menu.permission ?? menu.code ?? menu.id, menu.id])),
    toTree(screens),
    null,
  );
  for (const menu of missing) await menuRows.insert(db, menu);
  const made = await db
    .insert(roles)
    .values(
      builtInRoles.map(({ code, name }) => ({ id: newId(), code, name, builtIn: true, createdAt: now })),
    )
    .onConflictDoNothing()
    .returning({ code: roles.code });
  await grantFresh(db, screens, new Set(made.map((role) => role.code)));
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
async function grantFresh(
  db: Db,
  screens: readonly MenuScreen[],
  newRoles: ReadonlySet<string>,
): Promise<void> {
  const declared = screens.flatMap(({ permission, roles = [], acts = [] }) => [
    ...(permission === undefined ? [] : [{ permission, roles }]),
    ...acts,
  ]);
  const inserted = await db
    .insert(seededPermissions)
    .values(declared.map(({ permission }) => ({ permission })))
    .onConflictDoNothing()
    .returning({ permission: seededPermissions.permission });
  const fresh = new Set<string>(inserted.map((row) => row.permission));
  for (const { code } of builtInRoles) {
    const wanted = declared
      .filter(
        ({ permission, roles }) =>
          roles.some((role) => role === code) && (newRoles.has(code) || fresh.has(permission)),
      )
      .map(({ permission }) => permission);
    if (wanted.length === 0) continue;
    const given = db
      .select({ roleId: roles.id, menuId: menus.id })
      .from(roles)
      .innerJoin(menus, inArray(menus.permission, wanted))
      .where(eq(roles.code, code));
    await db.insert(roleMenus).select(given).onConflictDoNothing();
  }
}
