import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import { boolean, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

export const farmers = pgTable('farmers', {
  userId: uuid('user_id').primaryKey(),
  skills: text().array().notNull(),
  years: smallint().notNull().default(0),
  city: text().notNull().default(''),
  homepage: text().notNull().default(''),
  openToWork: boolean('open_to_work').notNull().default(false),
  intro: text().notNull().default(''),
  updatedAt: time('updated_at').notNull(),
});
export type FarmerRow = typeof farmers.$inferSelect;

const sum = (name: string) => bigintNumber(name).notNull();

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
  computedAt: time('computed_at').notNull(),
});

export const starPicks = pgTable('star_picks', {
  userId: uuid('user_id').primaryKey(),
  note: text().notNull().default(''),
  sort: integer().notNull(),
  pickedAt: time('picked_at').notNull(),
});
export type StarPickRow = typeof starPicks.$inferSelect;

export const expertApplications = pgTable('expert_applications', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  realName: text('real_name').notNull(),
  field: text().notNull(),
  intro: text().notNull(),
  works: text().array().notNull().default([]),
  contact: text().notNull(),
  status: smallint().$type<ApplicationStatus>().notNull().default(APPLICATION_STATUS.waiting),
  reason: text().notNull().default(''),
  decidedBy: uuid('decided_by'),
  decidedAt: time('decided_at'),
  createdAt: time('created_at').notNull(),
});
export type ApplicationRow = typeof expertApplications.$inferSelect;
