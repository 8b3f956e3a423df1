import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

const count = (name: string) => bigint(name, { mode: 'number' });

export const redirects = pgTable('redirects', {
  id: uuid().primaryKey(),
  path: text().notNull(),
  query: text().notNull().default(''),
  target: text(),
  targetPath: text('target_path'),
  essayId: uuid('essay_id'),
  transferId: uuid('transfer_id'),
  hits: count('hits').notNull().default(0),
  lastHitAt: time('last_hit_at').notNull().default(new Date(0)),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type RedirectRow = typeof redirects.$inferSelect;

export const missingPaths = pgTable('missing_paths', {
  id: uuid().primaryKey(),
  path: text().notNull(),
  hits: count('hits').notNull(),
  firstAt: time('first_at').notNull(),
  lastAt: time('last_at').notNull(),
});
export type MissingPathRow = typeof missingPaths.$inferSelect;
