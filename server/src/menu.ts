import type { Permission } from '@mozhan/contract/client.ts';

/** Roles that every installation has besides the administrator. */
export type BuiltInRole = 'auditor' | 'operator' | 'finance';

export type MenuGroup = 'content' | 'site' | 'user' | 'money' | 'system';

export interface MenuAction {
  permission: Permission;
  name: string;
  /** Built-in roles that have the permission by default. */
  roles: readonly BuiltInRole[];
}

export interface MenuScreen extends Partial<Pick<MenuAction, 'permission' | 'roles'>> {
  /** Null: listed above all groups. */
  group: MenuGroup | null;
  /** Sort key within the group, ascending. */
  position: number;
  /** Identifies a screen without a permission in the database. */
  code?: string;
  path: string;
  name: string;
  icon: string;
  actions?: readonly MenuAction[];
}
