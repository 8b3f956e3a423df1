import type { CommentStatus } from '@mozhan/contract/comments.ts';
import type { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { boolean, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const comments = pgTable('comments', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id').notNull(),
  rootId: uuid('root_id'),
  /** Null for a guest, who has a name instead. */
  userId: uuid('user_id'),
  guestName: text('guest_name'),
  guestSite: text('guest_site').notNull().default(''),
  replyToUserId: uuid('reply_to_user_id'),
  /** The guest's comment that a reply answers. */
  replyToGuestId: uuid('reply_to_guest_id'),
  /** The passage of the essay that the comment quotes. */
  highlightId: uuid('highlight_id'),
  status: smallint().$type<CommentStatus | typeof COMMENT_STATUS.deleted>().notNull(),
  content: text().notNull(),
  masked: text(),
  html: text().notNull(),
  words: text().array().notNull().default([]),
  mentions: text().array().notNull().default([]),
  region: text().notNull().default(''),
  pinned: boolean().notNull().default(false),
  likeCount: integer('like_count').notNull().default(0),
  replyCount: integer('reply_count').notNull().default(0),
  createdAt: time('created_at').notNull(),
  editedAt: time('edited_at'),
});
export type CommentRow = typeof comments.$inferSelect;

export const commentLikes = pgTable(
  'comment_likes',
  {
    commentId: uuid('comment_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.commentId, table.userId] })],
);

export const commentCounts = pgTable('comment_counts', {
  essayId: uuid('essay_id').primaryKey(),
  count: integer().notNull(),
});

/** Comments of another system that were imported; `commentId` is null when the comment was deleted here. */
export const importedComments = pgTable(
  'imported_comments',
  {
    essayId: uuid('essay_id').notNull(),
    source: text().notNull(),
    foreignId: text('foreign_id').notNull(),
    commentId: uuid('comment_id'),
    transferId: uuid('transfer_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.essayId, table.source, table.foreignId] })],
);
