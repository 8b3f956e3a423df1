import type { ChatKind } from '@mozhan/contract/chats.ts';
import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });
const seq = (name: string) => bigint(name, { mode: 'number' });

/** Of two people, the smaller id first, or of all who may read an essay. */
export const conversations = pgTable('conversations', {
  id: uuid().primaryKey(),
  essayId: uuid('essay_id'),
  userA: uuid('user_a'),
  userB: uuid('user_b'),
  startedBy: uuid('started_by'),
  lastSeq: seq('last_seq').notNull().default(0),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type ConversationRow = typeof conversations.$inferSelect;

export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: uuid('conversation_id').notNull(),
    userId: uuid('user_id').notNull(),
    readSeq: seq('read_seq').notNull().default(0),
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
    seq: seq('seq').notNull(),
    id: uuid().notNull(),
    clientId: text('client_id').notNull(),
    fromId: uuid('from_id'),
    kind: text().$type<ChatKind>().notNull(),
    content: text().notNull(),
    /** As it is shown, where some words are hidden. */
    masked: text(),
    html: text().notNull(),
    image: jsonb().$type<Picture>(),
    replyToSeq: seq('reply_to_seq'),
    removedAt: time('removed_at'),
    removedBy: uuid('removed_by'),
    createdAt: time('created_at').notNull(),
    folded: text().notNull(),
    tokens: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.seq] })],
);
export type MessageRow = Omit<typeof chatMessages.$inferSelect, 'folded' | 'tokens'>;
