import type { Trend } from '@mozhan/contract/activity.ts';
import { pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const trends = pgTable('trends', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  type: smallint().notNull(),
  targetKind: smallint('target_kind').$type<Trend['targetKind']>().notNull(),
  targetId: uuid('target_id').notNull(),
  createdAt: time('created_at').notNull(),
  /** Set only for searches. */
  keyword: text(),
});
