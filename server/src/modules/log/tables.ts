import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const operations = pgTable('operations', {
  id: uuid().primaryKey(),
  userId: uuid('user_id'),
  call: text().notNull(),
  summary: text().notNull(),
  target: text(),
  address: text().notNull(),
  requestId: text('request_id').notNull(),
  input: jsonb().notNull(),
  before: jsonb(),
  after: jsonb(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
