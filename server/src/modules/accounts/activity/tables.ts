import { pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Trend } from '#contract/activity.ts';

export const trends = pgTable('trends', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  type: smallint().notNull(),
  targetKind: smallint('target_kind').$type<Trend['targetKind']>().notNull(),
  targetId: uuid('target_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** Of a search: what for. */
  keyword: text(),
});
