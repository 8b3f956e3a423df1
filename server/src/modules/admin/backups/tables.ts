import type { Backup } from '@mozhan/contract/backups.ts';
import { jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time, wholeNumber } from '../../../db/columns.ts';

export const backups = pgTable('backups', {
  id: uuid().primaryKey(),
  madeBy: text('made_by').$type<Backup['madeBy']>().notNull(),
  userId: uuid('user_id'),
  status: text().$type<Backup['status']>().notNull(),
  /** Of the file. */
  name: text(),
  bytes: wholeNumber('bytes'),
  /** How far it has come, while it runs. */
  done: wholeNumber('done').notNull().default(0),
  total: wholeNumber('total').notNull().default(0),
  message: text().notNull().default(''),
  contents: jsonb().$type<Backup['contents']>(),
  attempts: smallint().notNull().default(0),
  createdAt: time('created_at').notNull(),
  /** The last sign of life; of what is done, when its file was last seen. */
  seenAt: time('seen_at').notNull(),
  finishedAt: time('finished_at'),
});
export type BackupRow = typeof backups.$inferSelect;
