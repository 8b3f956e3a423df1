import { boolean, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const farmers = pgTable('farmers', {
  userId: uuid('user_id').primaryKey(),
  skills: text().array().notNull(),
  years: smallint().notNull().default(0),
  city: text().notNull().default(''),
  homepage: text().notNull().default(''),
  openToWork: boolean('open_to_work').notNull().default(false),
  intro: text().notNull().default(''),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
});
export type FarmerRow = typeof farmers.$inferSelect;
