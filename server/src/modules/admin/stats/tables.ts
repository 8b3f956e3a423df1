import { bigint, boolean, date, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const large = (name: string) => bigint(name, { mode: 'number' }).notNull();
const time = (name: string) => timestamp(name, { withTimezone: true }).notNull();

export const siteDays = pgTable('site_days', {
  day: date({ mode: 'string' }).primaryKey(),
  reads: large('reads'),
  registrations: integer().notNull(),
  publications: integer().notNull(),
  comments: integer().notNull(),
  messages: integer().notNull(),
  turnover: large('turnover'),
  refunded: large('refunded'),
  settled: boolean().notNull(),
  countedAt: time('counted_at'),
});
export type SiteDay = typeof siteDays.$inferSelect;

/** Somebody, or an essay, and how often they were read. */
export interface Top {
  id: string;
  reads: number;
}

export const statTops = pgTable('stat_tops', {
  range: text().primaryKey(),
  essays: jsonb().$type<Top[]>().notNull(),
  writers: jsonb().$type<Top[]>().notNull(),
  computedAt: time('computed_at'),
});
export type TopsRow = typeof statTops.$inferSelect;
