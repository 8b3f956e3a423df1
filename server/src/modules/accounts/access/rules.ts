import { calls } from '@mozhan/contract/calls.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import { permissionsOf } from '@mozhan/contract/define.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../ctx.ts';
import type { Menu, Role } from './tables.ts';

/** The code of the role that has every permission, whatever its menus. */
export const SUPER_ROLE = 'super';

export const allPermissions: Permission[] = [...new Set(calls.flatMap(permissionsOf))].sort();
const requiredPermissions = new Set<string>(allPermissions);

/** Permissions are plain strings here: a menu that an operator created may name one that no call requires. */
interface Actor extends Pick<Viewer, 'isSuper'> {
  permissions: readonly string[];
}

export interface Grant {
  id: string;
  name: string;
  code: string;
  builtIn: boolean;
  permissions: string[];
}

const hasPermission = (actor: Actor, permission: string | null): boolean =>
  actor.isSuper || permission === null || actor.permissions.includes(permission);

/** A built-in role without permissions gets them from a later release, without any further check. */
const isAwaitingPermissions = (role: Grant): boolean => role.builtIn && role.permissions.length === 0;

/** The actor needs every permission of the roles; disabled roles count, since they may be enabled again. */
export const canGrant = (actor: Actor, roles: Grant[]): boolean =>
  actor.isSuper ||
  roles.every(
    (role) =>
      role.code !== SUPER_ROLE &&
      !isAwaitingPermissions(role) &&
      role.permissions.every((each) => hasPermission(actor, each)),
  );

export function checkGrant(actor: Actor, roles: Grant[]): void {
  if (!canGrant(actor, roles)) throw new CallError('GRANT_TOO_MUCH');
}

/** `changed` are the menus that are added to the role or removed from it. */
export function checkRoleMenus(actor: Actor, role: Role, changed: Menu[]): void {
  if (role.code === SUPER_ROLE)
    throw new CallError('ROLE_BUILT_IN', { message: '超级管理员拥有全部菜单，无需设置' });
  if (!changed.every((menu) => hasPermission(actor, menu.permission))) throw new CallError('GRANT_TOO_MUCH');
}

export function checkRoleChange(
  actor: Actor,
  role: Role & Pick<Grant, 'permissions'>,
  change: { code?: string | undefined; enabled?: boolean | undefined },
): void {
  if (role.builtIn && change.code !== undefined && change.code !== role.code)
    throw new CallError('ROLE_BUILT_IN', { message: '内置角色的编码不能修改' });
  if (role.code === SUPER_ROLE && change.enabled === false)
    throw new CallError('LAST_SUPER_ADMIN', { message: '超级管理员角色不能停用' });
  // Enabling grants the permissions to all holders, and a misleading name could make others assign the role.
  checkRoleManageable(actor, role);
}

export function checkRoleRemoval(
  actor: Actor,
  role: Role & Pick<Grant, 'permissions'>,
  accountCount: number,
): void {
  if (role.builtIn) throw new CallError('ROLE_BUILT_IN', { message: '内置角色不能删除' });
  if (accountCount > 0) throw new CallError('ROLE_IN_USE');
  checkRoleManageable(actor, role);
}

function checkRoleManageable(actor: Actor, role: Grant): void {
  if (!canGrant(actor, [role]))
    throw new CallError('FORBIDDEN', { message: '这个角色的权限比你多，不能由你修改' });
}

type Kind = Menu['kind'];

const parents: Record<Kind, readonly (Kind | null)[]> = {
  group: [null, 'group'],
  screen: [null, 'group'],
  act: ['screen'],
};
const misplacedMessages: Record<Kind, string> = {
  group: '分组只能放在最上层或另一个分组里',
  screen: '页面只能放在最上层或分组里',
  act: '操作只能放在页面下面',
};

export function checkMenu(
  menu: Pick<Menu, 'id' | 'parentId' | 'kind' | 'path' | 'permission'>,
  all: Menu[],
): void {
  if (menu.kind === 'act' && menu.permission === null) throw invalidField('permission', '操作需要填写权限');
  if (menu.kind === 'screen' && menu.path === '') throw invalidField('path', '页面需要填写路径');
  const byId = new Map(all.map((each) => [each.id, each]));
  const parent = menu.parentId === null ? null : byId.get(menu.parentId);
  if (parent === undefined) throw invalidField('parentId', '没有这个上级菜单');
  if (!parents[menu.kind].includes(parent?.kind ?? null))
    throw new CallError('MENU_MISPLACED', { message: misplacedMessages[menu.kind] });
  let above = parent ?? undefined;
  for (; above !== undefined; above = byId.get(above.parentId ?? '')) {
    if (above.id === menu.id) throw new CallError('MENU_MISPLACED', { message: '菜单不能放在自己里面' });
  }
  const misplacedChild = all.find(
    (each) => each.parentId === menu.id && !parents[each.kind].includes(menu.kind),
  );
  if (misplacedChild !== undefined)
    throw new CallError('MENU_MISPLACED', {
      message: `它的下级「${misplacedChild.name}」不能留在这样的菜单下`,
    });
}

/** Hiding or removing a menu affects all menus below it. Seeded menus without a permission belong to everyone. */
export function checkMenuManageable(actor: Actor, menu: Menu, all: Menu[]): void {
  const below = (id: string): Menu[] =>
    all.filter((each) => each.parentId === id).flatMap((each) => [each, ...below(each.id)]);
  const permissions = [menu, ...below(menu.id)].flatMap(({ permission }) => permission ?? []);
  if (!permissions.every((permission) => hasPermission(actor, permission)))
    throw new CallError('GRANT_TOO_MUCH');
  if (permissions.length === 0 && menu.code !== null && !actor.isSuper)
    throw new CallError('FORBIDDEN', { message: '这个菜单是大家的，只有超级管理员可以修改' });
}

/** Every role with the menu loses the permission `before` and gets `after`; null means none. */
export function checkPermissionChange(actor: Actor, before: string | null, after: string | null): void {
  if (!hasPermission(actor, before) || !hasPermission(actor, after)) throw new CallError('GRANT_TOO_MUCH');
  if (before !== after && before !== null && requiredPermissions.has(before) && !actor.isSuper)
    throw new CallError('FORBIDDEN', { message: '系统需要这个权限，只有超级管理员可以去掉它' });
}

/** Returns the groups and screens that a staff member sees in the back office, in the order of `all`. */
export function filterVisibleMenus(
  all: Menu[],
  viewer: Actor & Pick<Viewer, 'isStaff'>,
  grantedMenuIds: ReadonlySet<string>,
): Menu[] {
  if (!viewer.isStaff) return [];
  const below = Map.groupBy(all, (menu) => menu.parentId);
  const isAllowed = (menu: Menu): boolean =>
    menu.permission !== null
      ? hasPermission(viewer, menu.permission)
      : // All staff see the dashboard.
        viewer.isSuper || grantedMenuIds.has(menu.id) || menu.path === '/';
  const visit = (parentId: string | null): Menu[] =>
    (below.get(parentId) ?? []).flatMap((menu) => {
      if (!menu.enabled) return [];
      const inside = visit(menu.id);
      if (menu.kind === 'group') return inside.length > 0 ? [menu, ...inside] : [];
      const isVisible =
        menu.kind === 'screen' && (isAllowed(menu) || (below.get(menu.id) ?? []).some(isAllowed));
      return isVisible ? [menu] : [];
    });
  return visit(null);
}
