import { integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** Letters of two people, the smaller id first, about one thing. */
export const letterThreads = pgTable('letter_threads', {
  id: uuid().primaryKey(),
  userA: uuid('user_a').notNull(),
  userB: uuid('user_b').notNull(),
  subject: text().notNull(),
  essayId: uuid('essay_id'),
  createdAt: time('created_at').notNull(),
});
export type ThreadRow = typeof letterThreads.$inferSelect;

export const letters = pgTable('letters', {
  id: uuid().primaryKey(),
  threadId: uuid('thread_id').notNull(),
  /** In the thread, from 1. */
  seq: integer().notNull(),
  fromId: uuid('from_id').notNull(),
  parentId: uuid('parent_id'),
  content: text().notNull(),
  /** As the other sees it, where some words are hidden. */
  masked: text(),
  html: text().notNull(),
  /** What is shown, as plain text. */
  plain: text().notNull(),
  createdAt: time('created_at').notNull(),
});
export type LetterRow = typeof letters.$inferSelect;

/** A thread as each of the two has it. */
export const letterPlaces = pgTable(
  'letter_places',
  {
    threadId: uuid('thread_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** How far it was read, and how far it was deleted. */
    readSeq: integer('read_seq').notNull().default(0),
    hiddenSeq: integer('hidden_seq').notNull().default(0),
    /** Of the other's letters. */
    unread: integer().notNull().default(0),
    /** Of the newest letter; none: all of it was deleted. */
    lastId: uuid('last_id'),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.userId] })],
);
export type PlaceRow = typeof letterPlaces.$inferSelect;
