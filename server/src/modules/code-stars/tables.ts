import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { bigint, integer, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull();

export const starRanks = pgTable(
  'star_ranks',
  {
    range: text().$type<StarRange>().notNull(),
    rank: smallint().notNull(),
    userId: uuid('user_id').notNull(),
    score: sum('score'),
    reads: sum('reads'),
    likes: sum('likes'),
    collects: sum('collects'),
    rewards: sum('rewards'),
  },
  (table) => [primaryKey({ columns: [table.range, table.rank] })],
);
export type StarRank = typeof starRanks.$inferSelect;

export const starRankings = pgTable('star_rankings', {
  range: text().$type<StarRange>().primaryKey(),
  computedAt: timestamp('computed_at', { withTimezone: true }).notNull(),
});

export const starPicks = pgTable('star_picks', {
  userId: uuid('user_id').primaryKey(),
  note: text().notNull().default(''),
  sort: integer().notNull(),
  pickedAt: timestamp('picked_at', { withTimezone: true }).notNull(),
});
export type StarPickRow = typeof starPicks.$inferSelect;
