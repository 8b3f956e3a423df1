import {
  type AnyPgColumn,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const roles = pgTable('roles', {
  id: uuid().primaryKey(),
  code: text().notNull(),
  name: text().notNull(),
  enabled: boolean().notNull().default(true),
  builtIn: boolean('built_in').notNull().default(false),
  createdAt: time('created_at').notNull(),
});
export type Role = typeof roles.$inferSelect;

export const menus = pgTable('menus', {
  id: uuid().primaryKey(),
  parentId: uuid('parent_id').references((): AnyPgColumn => menus.id),
  /** Identifies a seeded menu without a permission. */
  code: text(),
  name: text().notNull(),
  path: text().notNull().default(''),
  icon: text().notNull().default(''),
  permission: text(),
  kind: text({ enum: ['group', 'screen', 'act'] }).notNull(),
  sort: integer().notNull().default(0),
  enabled: boolean().notNull().default(true),
});
export type Menu = typeof menus.$inferSelect;

export const roleMenus = pgTable(
  'role_menus',
  { roleId: uuid('role_id').notNull(), menuId: uuid('menu_id').notNull() },
  (table) => [primaryKey({ columns: [table.roleId, table.menuId] })],
);

export const accountRoles = pgTable(
  'account_roles',
  { userId: uuid('user_id').notNull(), roleId: uuid('role_id').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.roleId] })],
);

/** Permissions that were already granted to built-in roles once. */
export const seededPermissions = pgTable('seeded_permissions', { permission: text().primaryKey() });

export const operations = pgTable('operations', {
  id: uuid().primaryKey(),
  userId: uuid('user_id'),
  call: text().notNull(),
  summary: text().notNull(),
  target: text(),
  address: text().notNull(),
  requestId: text('request_id').notNull(),
  input: jsonb().notNull(),
  before: jsonb(),
  after: jsonb(),
  createdAt: time('created_at').notNull(),
});
