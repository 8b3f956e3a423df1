import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
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
  /** Set by triggers on all tables whose texts and columns name files. */
  isUsed: boolean('is_used').notNull().default(false),
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
  isUsed: boolean('is_used').notNull().default(false),
});
export type AttachmentRow = typeof attachments.$inferSelect;

/** Written by triggers only: the rows whose texts or columns name a file. */
export const uploadUses = pgTable('upload_uses', {
  source: text().notNull(),
  rowKey: text('row_key').notNull(),
  kind: text().notNull(),
  targetId: uuid('target_id'),
  uploadId: uuid('upload_id'),
  attachmentId: uuid('attachment_id'),
});

/** Files without a row, deleted by a job after a delay. */
export const discardedFiles = pgTable('discarded_files', {
  path: text().primaryKey(),
  discardedAt: time('discarded_at').notNull(),
});

const bytes = (name: string) => bigint(name, { mode: 'number' });

/** Bytes are counted by triggers; a quota of null is that of the site, 0 is no limit. */
export const uploadTotals = pgTable('upload_totals', {
  userId: uuid('user_id').primaryKey(),
  imageBytes: bytes('image_bytes').notNull().default(0),
  attachmentBytes: bytes('attachment_bytes').notNull().default(0),
  imageQuota: bytes('image_quota'),
  attachmentQuota: bytes('attachment_quota'),
});
export type UploadTotals = typeof uploadTotals.$inferSelect;
