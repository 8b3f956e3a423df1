import type * as calls from '@mozhan/contract/access.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import {
  afterCommit,
  type Ctx,
  inTransaction,
  logChange,
  notifyAccountChanged,
  type Viewer,
} from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries.ts';
import { checkGrant, checkRoleChange, checkRoleMenus, checkRoleRemoval } from '../rules.ts';
import type { Role } from '../tables.ts';

/** The log masks a field named `code` as a secret, so the role's code is logged as `role`. */
const toLog = (role: Role) => ({ role: role.code, name: role.name, enabled: role.enabled });

export function createRole(
  ctx: Ctx,
  input: z.output<typeof calls.createRole.input>,
): Promise<queries.RoleRow> {
  return inTransaction(ctx, async (ctx) => {
    const id = newId();
    await queries.roleRows.insert(ctx.db, {
      id,
      name: input.name,
      code: input.code,
      enabled: input.enabled === FLAG.on,
      createdAt: ctx.now,
    });
    const row = await queries.getRole(ctx.db, id);
    logChange(ctx, `role:${id}`, null, toLog(row.role));
    return row;
  });
}

export function updateRole(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.updateRole.input>,
): Promise<queries.RoleRow> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const before = await getRoleWithPermissions(ctx, input.id);
    const enabled = input.enabled === undefined ? undefined : input.enabled === FLAG.on;
    checkRoleChange(actor, before.role, { code: input.code, enabled });
    await queries.roleRows.update(ctx.db, input.id, {
      name: input.name ?? before.role.name,
      code: input.code ?? before.role.code,
      enabled: enabled ?? before.role.enabled,
    });
    const after = await queries.getRole(ctx.db, input.id);
    logChange(ctx, `role:${input.id}`, toLog(before.role), toLog(after.role));
    return after;
  });
}

export function removeRole(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const { role, accountCount } = await getRoleWithPermissions(ctx, id);
    checkRoleRemoval(actor, role, accountCount);
    await queries.roleRows.remove(ctx.db, id);
    logChange(ctx, `role:${id}`, toLog(role), null);
  });
}

async function getRoleWithPermissions(ctx: Ctx, id: string) {
  const row = await queries.getRole(ctx.db, id);
  const [grant] = await queries.listGrants(ctx.db, [id]);
  return { ...row, role: { ...row.role, permissions: grant?.permissions ?? [] } };
}

export async function getRoleMenus(ctx: Ctx, roleId: string): Promise<string[]> {
  await queries.getRole(ctx.db, roleId);
  return queries.listRoleMenuIds(ctx.db, roleId);
}

export function setRoleMenus(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.setRoleMenus.input>,
): Promise<string[]> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockAccess(ctx.db);
    const { role } = await queries.getRole(ctx.db, input.roleId);
    const menus = await queries.listMenus(ctx.db);
    const before = new Set(await queries.listRoleMenuIds(ctx.db, role.id));
    const after = new Set(input.menuIds);
    const existingIds = new Set(menus.map((menu) => menu.id));
    if (!after.isSubsetOf(existingIds)) throw invalidField('menuIds', '有的菜单不存在，请刷新后重试');
    const changed = before.symmetricDifference(after);
    checkRoleMenus(
      actor,
      role,
      menus.filter((menu) => changed.has(menu.id)),
    );
    await queries.replaceRoleMenus(ctx.db, role.id, [...after]);
    const names = (ids: Set<string>) => ({
      role: role.code,
      name: role.name,
      menus: menus.filter((menu) => ids.has(menu.id)).map((menu) => menu.name),
    });
    logChange(ctx, `role:${role.id}`, names(before), names(after));
    return queries.listRoleMenuIds(ctx.db, role.id);
  });
}

export async function assignRoles(ctx: Ctx, actor: Viewer, userId: string, roleIds: string[]): Promise<void> {
  await queries.lockAccess(ctx.db);
  const ids = [...new Set(roleIds)];
  const grants = await queries.listGrants(ctx.db, ids);
  if (grants.length < ids.length) throw invalidField('roleIds', '有的角色不存在，请刷新后重试');
  checkGrant(actor, grants);
  await replaceRoles(ctx, userId, ids);
}

/** Staff may read rooms that others may not, so live connections are checked again. */
async function replaceRoles(ctx: Ctx, userId: string, roleIds: string[]): Promise<void> {
  await queries.replaceAccountRoles(ctx.db, userId, roleIds);
  afterCommit(ctx, () => ctx.services.live.recheckAccess({ userId }));
  notifyAccountChanged(ctx, userId);
}

/** Adds a role without a permission check; for internal use. */
export async function grantRole(ctx: Ctx, userId: string, code: string): Promise<void> {
  if (!(await queries.insertAccountRole(ctx.db, userId, code))) throw new Error(`role not found: ${code}`);
}

export const revokeRoles = (ctx: Ctx, userId: string): Promise<void> => replaceRoles(ctx, userId, []);
