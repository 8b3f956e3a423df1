import { boolean, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time, wholeNumber } from '../../../db/columns.ts';

const large = (name: string) => wholeNumber(name).notNull();

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
  countedAt: time('counted_at').notNull(),
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
  computedAt: time('computed_at').notNull(),
});
export type TopsRow = typeof statTops.$inferSelect;
