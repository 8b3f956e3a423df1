import type { Menu as MenuTree, Role } from '@mozhan/contract/access.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { RoleRow } from './queries.ts';
import type { Menu } from './tables.ts';

export function toRole({ role, accountCount }: RoleRow): Role {
  return {
    id: role.id,
    name: role.name,
    code: role.code,
    enabled: toFlag(role.enabled),
    builtIn: role.builtIn,
    accountCount,
    createdAt: role.createdAt.toISOString(),
  };
}

export const toMenu = (menu: Menu, all: Menu[]): MenuTree => ({
  id: menu.id,
  parentId: menu.parentId,
  name: menu.name,
  path: menu.path,
  icon: menu.icon,
  permission: menu.permission,
  kind: menu.kind,
  sort: menu.sort,
  enabled: toFlag(menu.enabled),
  children: toMenus(all, menu.id),
});

export const toMenus = (all: Menu[], parentId: string | null = null): MenuTree[] =>
  all.filter((menu) => menu.parentId === parentId).map((menu) => toMenu(menu, all));
