import type { Notice } from '@mozhan/contract/notices.ts';
import { bigint, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
const position = (name: string) => bigint(name, { mode: 'number' }).notNull();

/** Everything that changes a user's notices holds the row of their box. */
export const noticeBoxes = pgTable('notice_boxes', {
  userId: uuid('user_id').primaryKey(),
  /** Of the newest thing told. */
  position: position('position').default(0),
  /** What is not newer has been read, whether marked or not. */
  readTo: position('read_to').default(0),
  /** What is not newer has been mailed, or was of no interest then. */
  digestTo: position('digest_to').default(0),
});

export const notices = pgTable('notices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<Notice['kind']>().notNull(),
  /** By the system the whole sentence, else what they did. */
  text: text().notNull(),
  readAt: time('read_at'),
  createdAt: time('created_at').notNull(),
  /** In the box: the newest deed of those told of. */
  position: position('position'),
  /** What it is about; where it is about nothing else, the user. */
  targetId: uuid('target_id').notNull(),
  targetTitle: text('target_title').notNull().default(''),
  targetUrl: text('target_url').notNull().default(''),
  excerpt: text().notNull().default(''),
  /** How many did it; none: the system. */
  actors: integer().notNull().default(0),
  /** When somebody last did it. */
  toldAt: time('told_at').notNull(),
});

export const noticeActors = pgTable(
  'notice_actors',
  {
    noticeId: uuid('notice_id').notNull(),
    userId: uuid('user_id').notNull(),
    position: position('position'),
  },
  (table) => [primaryKey({ columns: [table.noticeId, table.userId] })],
);

export const noticeCounts = pgTable(
  'notice_counts',
  {
    userId: uuid('user_id').notNull(),
    kind: text().$type<Notice['kind']>().notNull(),
    total: integer().notNull().default(0),
    unread: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);
