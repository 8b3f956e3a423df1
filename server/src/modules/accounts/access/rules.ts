import { calls } from '@mozhan/contract/calls.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import { permissionsOf } from '@mozhan/contract/define.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../ctx.ts';
import type { Menu, Role } from './tables.ts';

/** Holds every permission, whatever its menus say. */
export const SUPER = 'super';

/** What the calls of the contract ask for. */
export const everyPermission: Permission[] = [...new Set(calls.flatMap(permissionsOf))].sort();
const needed = new Set<string>(everyPermission);

/** Its permissions are any strings: a menu that an operator made may name one that no call asks for. */
interface Actor extends Pick<Viewer, 'isSuper'> {
  permissions: readonly string[];
}

/** A role with the permissions of its menus. */
export interface Grant {
  id: string;
  name: string;
  code: string;
  builtIn: boolean;
  permissions: string[];
}

const holds = (actor: Actor, permission: string | null): boolean =>
  actor.isSuper || permission === null || actor.permissions.includes(permission);

/** A built-in role without permissions gets its own with a later release, and nobody is asked then. */
const isWaiting = (role: Grant): boolean => role.builtIn && role.permissions.length === 0;

/** Nobody gives, takes or touches what it does not have; of a disabled role too, which may be enabled again. */
export const canGrant = (actor: Actor, roles: Grant[]): boolean =>
  actor.isSuper ||
  roles.every(
    (role) => role.code !== SUPER && !isWaiting(role) && role.permissions.every((each) => holds(actor, each)),
  );

export function checkGrant(actor: Actor, roles: Grant[]): void {
  if (!canGrant(actor, roles)) throw new CallError('GRANT_TOO_MUCH');
}

/** Menus that are given to a role or taken from it. */
export function checkRoleMenus(actor: Actor, role: Role, moved: Menu[]): void {
  if (role.code === SUPER)
    throw new CallError('ROLE_BUILT_IN', { message: '超级管理员拥有全部菜单，无需设置' });
  if (!moved.every((menu) => holds(actor, menu.permission))) throw new CallError('GRANT_TOO_MUCH');
}

export function checkRoleChange(
  actor: Actor,
  role: Role & Pick<Grant, 'permissions'>,
  change: { code?: string | undefined; enabled?: boolean | undefined },
): void {
  if (role.builtIn && change.code !== undefined && change.code !== role.code)
    throw new CallError('ROLE_BUILT_IN', { message: '内置角色的编码不能修改' });
  if (role.code === SUPER && change.enabled === false)
    throw new CallError('LAST_SUPER_ADMIN', { message: '超级管理员角色不能停用' });
  // Enabling gives what the role carries to everyone who has it; a name that misleads makes others give it.
  checkRoleWithin(actor, role);
}

export function checkRoleRemoval(
  actor: Actor,
  role: Role & Pick<Grant, 'permissions'>,
  accountCount: number,
): void {
  if (role.builtIn) throw new CallError('ROLE_BUILT_IN', { message: '内置角色不能删除' });
  if (accountCount > 0) throw new CallError('ROLE_IN_USE');
  checkRoleWithin(actor, role);
}

function checkRoleWithin(actor: Actor, role: Grant): void {
  if (!canGrant(actor, [role]))
    throw new CallError('FORBIDDEN', { message: '这个角色的权限比你多，不能由你修改' });
}

type Kind = Menu['kind'];

const parents: Record<Kind, readonly (Kind | null)[]> = {
  group: [null, 'group'],
  screen: [null, 'group'],
  act: ['screen'],
};
const misplaced: Record<Kind, string> = {
  group: '分组只能放在最上层或另一个分组里',
  screen: '页面只能放在最上层或分组里',
  act: '操作只能放在页面下面',
};

/** What a menu says of itself, and where it wants to be among the others. */
export function checkMenu(
  menu: Pick<Menu, 'id' | 'parentId' | 'kind' | 'path' | 'permission'>,
  all: Menu[],
): void {
  if (menu.kind === 'act' && menu.permission === null) throw invalid('permission', '操作需要填写权限');
  if (menu.kind === 'screen' && menu.path === '') throw invalid('path', '页面需要填写路径');
  const byId = new Map(all.map((each) => [each.id, each]));
  const parent = menu.parentId === null ? null : byId.get(menu.parentId);
  if (parent === undefined) throw invalid('parentId', '没有这个上级菜单');
  if (!parents[menu.kind].includes(parent?.kind ?? null))
    throw new CallError('MENU_MISPLACED', { message: misplaced[menu.kind] });
  let above = parent ?? undefined;
  for (; above !== undefined; above = byId.get(above.parentId ?? '')) {
    if (above.id === menu.id) throw new CallError('MENU_MISPLACED', { message: '菜单不能放在自己里面' });
  }
  const stray = all.find((each) => each.parentId === menu.id && !parents[each.kind].includes(menu.kind));
  if (stray !== undefined)
    throw new CallError('MENU_MISPLACED', { message: `它的下级「${stray.name}」不能留在这样的菜单下` });
}

/** Hiding or removing a menu takes away what is below it; one of the first start that carries nothing is everyone's. */
export function checkMenuWithin(actor: Actor, menu: Menu, all: Menu[]): void {
  const below = (id: string): Menu[] =>
    all.filter((each) => each.parentId === id).flatMap((each) => [each, ...below(each.id)]);
  const carried = [menu, ...below(menu.id)].flatMap(({ permission }) => permission ?? []);
  if (!carried.every((permission) => holds(actor, permission))) throw new CallError('GRANT_TOO_MUCH');
  if (carried.length === 0 && menu.code !== null && !actor.isSuper)
    throw new CallError('FORBIDDEN', { message: '这个菜单是大家的，只有超级管理员可以修改' });
}

/** From one permission to another, null for none: whoever holds the menu loses the one and gets the other. */
export function checkPermissionChange(actor: Actor, before: string | null, after: string | null): void {
  if (!holds(actor, before) || !holds(actor, after)) throw new CallError('GRANT_TOO_MUCH');
  if (before !== after && before !== null && needed.has(before) && !actor.isSuper)
    throw new CallError('FORBIDDEN', { message: '系统需要这个权限，只有超级管理员可以去掉它' });
}

/** Groups and screens of the back office for one member of the staff, in the order of `all`. */
export function visibleMenus(
  all: Menu[],
  viewer: Actor & Pick<Viewer, 'isStaff'>,
  held: ReadonlySet<string>,
): Menu[] {
  if (!viewer.isStaff) return [];
  const below = Map.groupBy(all, (menu) => menu.parentId);
  const has = (menu: Menu): boolean =>
    menu.permission !== null
      ? holds(viewer, menu.permission)
      : // The dashboard is everyone's.
        viewer.isSuper || held.has(menu.id) || menu.path === '/';
  const visit = (parentId: string | null): Menu[] =>
    (below.get(parentId) ?? []).flatMap((menu) => {
      if (!menu.enabled) return [];
      const inside = visit(menu.id);
      if (menu.kind === 'group') return inside.length > 0 ? [menu, ...inside] : [];
      const isShown = menu.kind === 'screen' && (has(menu) || (below.get(menu.id) ?? []).some(has));
      return isShown ? [menu] : [];
    });
  return visit(null);
}
