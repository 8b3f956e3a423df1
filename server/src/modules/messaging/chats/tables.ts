import type { ChatKind } from '@mozhan/contract/chats.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time, wholeNumber } from '../../../db/columns.ts';

/** Of two people, the smaller id first, or of all who may read an essay. */
export const conversations = pgTable('conversations', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id'),
  userA: uuid('user_a'),
  userB: uuid('user_b'),
  startedBy: uuid('started_by'),
  lastSeq: wholeNumber('last_seq').notNull().default(0),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type ConversationRow = typeof conversations.$inferSelect;

export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: uuid('conversation_id').notNull(),
    userId: uuid('user_id').notNull(),
    readSeq: wholeNumber('read_seq').notNull().default(0),
    /** Of two people: when the newest was said. */
    listedAt: time('listed_at'),
    saidAt: time('said_at'),
    mutedUntil: time('muted_until'),
    leftAt: time('left_at'),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.userId] })],
);

/** As it was uploaded. */
export interface Picture {
  path: string;
  thumbPath: string;
  width: number;
  height: number;
}

export const chatMessages = pgTable(
  'chat_messages',
  {
    conversationId: uuid('conversation_id').notNull(),
    seq: wholeNumber('seq').notNull(),
    id: uuid().notNull(),
    clientId: text('client_id').notNull(),
    fromId: uuid('from_id'),
    kind: text().$type<ChatKind>().notNull(),
    content: text().notNull(),
    /** As it is shown, where some words are hidden. */
    masked: text(),
    html: text().notNull(),
    image: jsonb().$type<Picture>(),
    replyToSeq: wholeNumber('reply_to_seq'),
    removedAt: time('removed_at'),
    removedBy: uuid('removed_by'),
    createdAt: time('created_at').notNull(),
    folded: text().notNull(),
    tokens: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
export type MessageRow = Omit<typeof chatMessages.$inferSelect, 'folded' | 'tokens'>;

/** Two who have written to each other, the smaller id first. */
export const contacts = pgTable(
  'contacts',
  {
    userA: uuid('user_a').notNull(),
    userB: uuid('user_b').notNull(),
    /** Who wrote last, and how many of theirs wait for an answer. */
    fromId: uuid('from_id').notNull(),
    unanswered: smallint().notNull(),
    /** Both have written. */
    answered: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userA, table.userB] })],
);

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
