import type { Permission } from '@mozhan/contract/client.ts';

/** Roles that every installation has, besides the administrator, who may do everything. */
export type BuiltInRole = 'auditor' | 'operator' | 'finance';

export type MenuGroup = 'content' | 'user' | 'money' | 'system';

/** What staff may do on a screen, as the role screen lists it. */
export interface MenuAct {
  permission: Permission;
  name: string;
  /** Those that have it from the beginning. */
  roles: readonly BuiltInRole[];
}

/** A screen of the back office. */
export interface MenuScreen extends Partial<Pick<MenuAct, 'permission' | 'roles'>> {
  /** None: above all groups. */
  group: MenuGroup | null;
  /** Its place in the group; the lowest comes first. */
  position: number;
  /** Identifies the screen in the database where it has no permission. */
  code?: string;
  path: string;
  name: string;
  icon: string;
  acts?: readonly MenuAct[];
}
