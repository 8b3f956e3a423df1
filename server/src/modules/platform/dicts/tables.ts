import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const dicts = pgTable('dicts', {
  id: uuid().primaryKey(),
  code: text().notNull(),
  name: text().notNull(),
  enabled: boolean().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type Dict = typeof dicts.$inferSelect;

export const dictItems = pgTable('dict_items', {
  id: uuid().primaryKey(),
  dictId: uuid('dict_id').notNull(),
  value: text().notNull(),
  item: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type DictItem = typeof dictItems.$inferSelect;
