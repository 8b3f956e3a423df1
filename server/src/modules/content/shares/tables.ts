import type { Share } from '@mozhan/contract/shares.ts';
import { boolean, customType, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const shares = pgTable('shares', {
  id: uuid().primaryKey(),
  code: text().notNull(),
  userId: uuid('user_id').notNull(),
  essayId: uuid('essay_id').notNull(),
  channel: text().$type<Share['channel']>().notNull(),
  isFirst: boolean('is_first').notNull(),
  /** False until the user confirms the share or somebody visits by it. */
  counted: boolean().notNull().default(true),
  readCount: integer('read_count').notNull().default(0),
  createdAt: time('created_at').notNull(),
});
export type ShareRow = typeof shares.$inferSelect;

export const shareReads = pgTable(
  'share_reads',
  {
    day: date().notNull(),
    shareId: uuid('share_id').notNull(),
    reader: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.shareId, table.reader] })],
);
