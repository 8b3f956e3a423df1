import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const folders = pgTable('folders', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  isPublic: boolean('is_public').notNull(),
  isDefault: boolean('is_default').notNull(),
  essayCount: integer('essay_count').notNull().default(0),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type FolderRow = typeof folders.$inferSelect;

export const collections = pgTable(
  'collections',
  {
    userId: uuid('user_id').notNull(),
    essayId: uuid('essay_id').notNull(),
    id: uuid().notNull(),
    folderId: uuid('folder_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.essayId] })],
);
