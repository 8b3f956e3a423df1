import type { Backup } from '@mozhan/contract/backups.ts';
import { bigint, jsonb, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
const count = (name: string) => bigint(name, { mode: 'number' });

export const backups = pgTable('backups', {
  id: uuid().primaryKey(),
  madeBy: text('made_by').$type<Backup['madeBy']>().notNull(),
  userId: uuid('user_id'),
  status: text().$type<Backup['status']>().notNull(),
  /** Of the file. */
  name: text(),
  bytes: count('bytes'),
  /** How far it has come, while it runs. */
  done: count('done').notNull().default(0),
  total: count('total').notNull().default(0),
  message: text().notNull().default(''),
  contents: jsonb().$type<Backup['contents']>(),
  attempts: smallint().notNull().default(0),
  createdAt: time('created_at').notNull(),
  /** The last sign of life; of what is done, when its file was last seen. */
  seenAt: time('seen_at').notNull(),
  finishedAt: time('finished_at'),
});
export type BackupRow = typeof backups.$inferSelect;
