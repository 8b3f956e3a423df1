import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import {
  bigint,
  boolean,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

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
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type ApplicationRow = typeof expertApplications.$inferSelect;
