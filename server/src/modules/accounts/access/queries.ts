import type { Page } from '@mozhan/contract/common.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { and, asc, eq, ilike, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { escapeLike } from '../../../db/keyword.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { sqlInt, sqlTexts } from '../../../db/rows.ts';
import type { Grant } from './rules.ts';
import { accountRoles, type Menu, menus, operations, type Role, roleMenus, roles } from './tables.ts';

const ACCESS_LOCK_ID = 0x61636373;

/**
 * Serializes changes of roles, menus, assignments and disabled accounts until the transaction ends: their rules read
 * more rows than they change.
 */
export async function lockAccess(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${ACCESS_LOCK_ID})`);
}

export const roleRows = createRowQueries(roles, '没有找到这个角色');

export interface RoleRow {
  role: Role;
  accountCount: number;
}

const selectRoles = (db: Db) =>
  db
    .select({
      role: roles,
      accountCount: sqlInt`(select count(*)::int from ${accountRoles} ar where ar.role_id = roles.id)`,
    })
    .from(roles);

export function listRoles(
  db: Db,
  query: PageQuery & { keyword?: string | undefined; enabled?: Flag | undefined; isDescending: boolean },
): Promise<Page<RoleRow>> {
  const pattern = `%${escapeLike(query.keyword ?? '')}%`;
  const match = and(
    query.keyword ? or(ilike(roles.name, pattern), ilike(roles.code, pattern)) : undefined,
    query.enabled === undefined ? undefined : eq(roles.enabled, query.enabled === FLAG.on),
  );
  return listPage(db, query, {
    select: selectRoles(db),
    match,
    id: roles.id,
    isDescending: query.isDescending,
    key: ({ role }) => [role.id],
  });
}

export async function getRole(db: Db, id: string): Promise<RoleRow> {
  const [row] = await selectRoles(db).where(eq(roles.id, id));
  if (row === undefined) throw roleRows.notFoundError();
  return row;
}

const selectGrants = (db: Db) =>
  db
    .select({
      id: roles.id,
      name: roles.name,
      code: roles.code,
      builtIn: roles.builtIn,
      permissions: sqlTexts`array(
        select m.permission from ${roleMenus} rm join ${menus} m on m.id = rm.menu_id
        where rm.role_id = roles.id and m.permission is not null)`,
    })
    .from(roles)
    .orderBy(asc(roles.id))
    .$dynamic();

export const listGrants = (db: Db, roleIds: string[]): Promise<Grant[]> =>
  selectGrants(db).where(inArray(roles.id, roleIds));

/** Includes disabled roles. */
export const listGrantsOfUser = (db: Db, userId: string): Promise<Grant[]> =>
  selectGrants(db).where(
    inArray(
      roles.id,
      db.select({ id: accountRoles.roleId }).from(accountRoles).where(eq(accountRoles.userId, userId)),
    ),
  );

export async function insertAccountRole(db: Db, userId: string, code: string): Promise<boolean> {
  const [role] = await db.select({ id: roles.id }).from(roles).where(eq(roles.code, code));
  if (role === undefined) return false;
  await db.insert(accountRoles).values({ userId, roleId: role.id }).onConflictDoNothing();
  return true;
}

export async function replaceAccountRoles(db: Db, userId: string, roleIds: string[]): Promise<void> {
  await db.delete(accountRoles).where(eq(accountRoles.userId, userId));
  if (roleIds.length > 0) await db.insert(accountRoles).values(roleIds.map((roleId) => ({ userId, roleId })));
}

export const listRoleMenuIds = async (db: Db, roleId: string): Promise<string[]> =>
  (
    await db
      .select({ id: roleMenus.menuId })
      .from(roleMenus)
      .where(eq(roleMenus.roleId, roleId))
      .orderBy(asc(roleMenus.menuId))
  ).map((row) => row.id);

export async function replaceRoleMenus(db: Db, roleId: string, menuIds: string[]): Promise<void> {
  await db.delete(roleMenus).where(eq(roleMenus.roleId, roleId));
  if (menuIds.length > 0) await db.insert(roleMenus).values(menuIds.map((menuId) => ({ roleId, menuId })));
}

export const menuRows = createRowQueries(menus, '没有找到这个菜单');

/** Returns all menus; siblings are in display order. */
export const listMenus = (db: Db): Promise<Menu[]> =>
  db.select().from(menus).orderBy(asc(menus.sort), asc(menus.id));

export const listGrantedMenuIds = async (db: Db, userId: string): Promise<string[]> =>
  (
    await db
      .selectDistinct({ id: roleMenus.menuId })
      .from(accountRoles)
      .innerJoin(roles, and(eq(roles.id, accountRoles.roleId), eq(roles.enabled, true)))
      .innerJoin(roleMenus, eq(roleMenus.roleId, roles.id))
      .where(eq(accountRoles.userId, userId))
  ).map((row) => row.id);

/** The log stays, without the operator's account. */
export async function removeOperator(db: Db, userId: string): Promise<void> {
  await db.update(operations).set({ userId: null }).where(eq(operations.userId, userId));
}
