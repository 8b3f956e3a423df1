import type { Backup } from '@mozhan/contract/backups.ts';
import { jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

export const backups = pgTable('backups', {
  id: uuid().primaryKey(),
  madeBy: text('made_by').$type<Backup['madeBy']>().notNull(),
  userId: uuid('user_id'),
  status: text().$type<Backup['status']>().notNull(),
  name: text(),
  bytes: bigintNumber('bytes'),
  /** The progress in bytes while the backup is being written. */
  done: bigintNumber('done').notNull().default(0),
  total: bigintNumber('total').notNull().default(0),
  message: text().notNull().default(''),
  contents: jsonb().$type<Backup['contents']>(),
  attempts: smallint().notNull().default(0),
  createdAt: time('created_at').notNull(),
  /** The last heartbeat, or for a finished backup the last time its file was found. */
  seenAt: time('seen_at').notNull(),
  finishedAt: time('finished_at'),
  /** When the file was copied to S3, and the last failed attempt. */
  copiedAt: time('copied_at'),
  copyFailedAt: time('copy_failed_at'),
  copyError: text('copy_error').notNull().default(''),
});
export type BackupRow = typeof backups.$inferSelect;
