import type { ChatKind } from '@mozhan/contract/chats.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

/** Either a pair, with the smaller user id in `userA`, or the room of the essay `essayId`. */
export const conversations = pgTable('conversations', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id'),
  userA: uuid('user_a'),
  userB: uuid('user_b'),
  startedBy: uuid('started_by'),
  lastSeq: bigintNumber('last_seq').notNull().default(0),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type ConversationRow = typeof conversations.$inferSelect;

export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: uuid('conversation_id').notNull(),
    userId: uuid('user_id').notNull(),
    readSeq: bigintNumber('read_seq').notNull().default(0),
    /** Set only in pairs: the time of the newest message. */
    listedAt: time('listed_at'),
    saidAt: time('said_at'),
    mutedUntil: time('muted_until'),
    leftAt: time('left_at'),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.userId] })],
);

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
    seq: bigintNumber('seq').notNull(),
    id: uuid().notNull(),
    clientId: text('client_id').notNull(),
    fromId: uuid('from_id'),
    kind: text().$type<ChatKind>().notNull(),
    content: text().notNull(),
    /** The displayed text when sensitive words were masked, otherwise null. */
    masked: text(),
    html: text().notNull(),
    image: jsonb().$type<Picture>(),
    replyToSeq: bigintNumber('reply_to_seq'),
    removedAt: time('removed_at'),
    removedBy: uuid('removed_by'),
    createdAt: time('created_at').notNull(),
    folded: text().notNull(),
    tokens: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
export type MessageRow = Omit<typeof chatMessages.$inferSelect, 'folded' | 'tokens'>;

/** One row per pair of users, with the smaller id in `userA`. */
export const contacts = pgTable(
  'contacts',
  {
    userA: uuid('user_a').notNull(),
    userB: uuid('user_b').notNull(),
    /** The last sender; `unanswered` counts their messages since the last reply. */
    fromId: uuid('from_id').notNull(),
    unanswered: smallint().notNull(),
    /** True once both users have written. */
    answered: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userA, table.userB] })],
);

/** Letters of two users on one subject, with the smaller id in `userA`. */
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
  seq: integer().notNull(),
  fromId: uuid('from_id').notNull(),
  parentId: uuid('parent_id'),
  content: text().notNull(),
  /** The text for the recipient when sensitive words were masked, otherwise null. */
  masked: text(),
  html: text().notNull(),
  plain: text().notNull(),
  createdAt: time('created_at').notNull(),
});
export type LetterRow = typeof letters.$inferSelect;

/** The state of a thread for one of its two participants. */
export const letterPlaces = pgTable(
  'letter_places',
  {
    threadId: uuid('thread_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** Letters up to these numbers were read, or deleted, by the participant. */
    readSeq: integer('read_seq').notNull().default(0),
    hiddenSeq: integer('hidden_seq').notNull().default(0),
    unread: integer().notNull().default(0),
    /** The newest letter, or null after the participant deleted the thread. */
    lastId: uuid('last_id'),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.userId] })],
);
export type ThreadMemberRow = typeof letterPlaces.$inferSelect;
