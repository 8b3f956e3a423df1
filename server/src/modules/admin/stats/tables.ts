import { boolean, date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

const bigintColumn = (name: string) => bigintNumber(name).notNull();

export const siteDays = pgTable('site_days', {
  day: date({ mode: 'string' }).primaryKey(),
  reads: bigintColumn('reads'),
  registrations: integer().notNull(),
  publications: integer().notNull(),
  comments: integer().notNull(),
  messages: integer().notNull(),
  turnover: bigintColumn('turnover'),
  refunded: bigintColumn('refunded'),
  settled: boolean().notNull(),
  countedAt: time('counted_at').notNull(),
});
export type SiteDay = typeof siteDays.$inferSelect;

export interface RankedItem {
  id: string;
  reads: number;
}

export const statTops = pgTable('stat_tops', {
  range: text().primaryKey(),
  essays: jsonb().$type<RankedItem[]>().notNull(),
  writers: jsonb().$type<RankedItem[]>().notNull(),
  computedAt: time('computed_at').notNull(),
});
export type TopsRow = typeof statTops.$inferSelect;
