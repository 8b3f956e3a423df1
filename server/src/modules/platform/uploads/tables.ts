import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const uploads = pgTable('uploads', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  path: text().notNull(),
  thumbPath: text('thumb_path').notNull(),
  middlePath: text('middle_path'),
  width: integer().notNull(),
  height: integer().notNull(),
  bytes: integer().notNull(),
  createdAt: time('created_at').notNull(),
});

export const attachments = pgTable('attachments', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** File name of the download. */
  name: text().notNull(),
  type: text().notNull(),
  bytes: integer().notNull(),
  /** Path of a private file; several rows may share it. */
  path: text().notNull(),
  createdAt: time('created_at').notNull(),
});
export type AttachmentRow = typeof attachments.$inferSelect;
