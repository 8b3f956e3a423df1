import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const settings = pgTable('settings', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: time('updated_at').notNull(),
});
