import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Notice } from '#contract/notices.ts';

export const notices = pgTable('notices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<Notice['kind']>().notNull(),
  text: text().notNull(),
  readAt: timestamp('read_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
