import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const dicts = pgTable('dicts', {
  id: uuid().primaryKey(),
  code: text().notNull(),
  name: text().notNull(),
  enabled: boolean().notNull(),
  createdAt: time('created_at').notNull(),
});
export type Dict = typeof dicts.$inferSelect;

export const dictItems = pgTable('dict_items', {
  id: uuid().primaryKey(),
  dictId: uuid('dict_id').notNull(),
  value: text().notNull(),
  item: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  createdAt: time('created_at').notNull(),
});
export type DictItem = typeof dictItems.$inferSelect;
