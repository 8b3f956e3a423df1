import type { CommentStatus } from '@mozhan/contract/comments.ts';
import type { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { boolean, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const comments = pgTable('comments', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id').notNull(),
  rootId: uuid('root_id'),
  userId: uuid('user_id').notNull(),
  replyToUserId: uuid('reply_to_user_id'),
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
