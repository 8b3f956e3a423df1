import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const categories = pgTable('categories', {
  id: uuid().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  icon: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull().default(true),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type Category = typeof categories.$inferSelect;
