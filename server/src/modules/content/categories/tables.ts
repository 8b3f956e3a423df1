import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const categories = pgTable('categories', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  icon: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull().default(true),
  createdAt: time('created_at').notNull(),
});
export type Category = typeof categories.$inferSelect;
