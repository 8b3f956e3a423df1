import { pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';

export const essayLikes = pgTable(
  'essay_likes',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    id: uuid().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);
