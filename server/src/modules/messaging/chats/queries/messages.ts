import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, timestamp } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { chatMessages, type MessageRow, type Picture } from '../tables.ts';
import { type CardUser, userCardColumns } from './users.ts';

export const messageNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这条消息' });

/** All columns except those for search. */
const messageColumns = {
  conversationId: chatMessages.conversationId,
  seq: chatMessages.seq,
  id: chatMessages.id,
  clientId: chatMessages.clientId,
  fromId: chatMessages.fromId,
  kind: chatMessages.kind,
  content: chatMessages.content,
  masked: chatMessages.masked,
  html: chatMessages.html,
  image: chatMessages.image,
  replyToSeq: chatMessages.replyToSeq,
  removedAt: chatMessages.removedAt,
  removedBy: chatMessages.removedBy,
  createdAt: chatMessages.createdAt,
};

const replied = alias(chatMessages, 'replied');
const repliedUser = alias(users, 'replied_user');

/** The part of a message that is quoted above a reply. */
export interface RepliedMessage {
  seq: number;
  fromId: string | null;
  kind: MessageRow['kind'];
  html: string;
  removedAt: Date | null;
}

export interface MessageDetails {
  message: MessageRow;
  from: CardUser | null;
  replied: RepliedMessage | null;
  repliedUser: { displayName: string } | null;
}

export const selectMessages = (db: Db) =>
  db
    .select({
      message: messageColumns,
      from: userCardColumns,
      replied: {
        seq: replied.seq,
        fromId: replied.fromId,
        kind: replied.kind,
        html: replied.html,
        removedAt: replied.removedAt,
      },
      repliedUser: { displayName: repliedUser.displayName },
    })
    .from(chatMessages)
    .leftJoin(users, eq(users.id, chatMessages.fromId))
    .leftJoin(
      replied,
      and(eq(replied.conversationId, chatMessages.conversationId), eq(replied.seq, chatMessages.replyToSeq)),
    )
    .leftJoin(repliedUser, eq(repliedUser.id, replied.fromId));

/** Returns messages in ascending order, and whether there are more in the requested direction. */
export async function listMessages(
  db: Db,
  query: { conversationId: string; after?: number | undefined; before?: number | undefined; limit: number },
): Promise<{ rows: MessageDetails[]; more: boolean }> {
  const { conversationId, after, before, limit } = query;
  const found = await selectMessages(db)
    .where(
      and(
        eq(chatMessages.conversationId, conversationId),
        after === undefined ? undefined : gt(chatMessages.seq, after),
        before === undefined ? undefined : lt(chatMessages.seq, before),
      ),
    )
    .orderBy(after === undefined ? desc(chatMessages.seq) : asc(chatMessages.seq))
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  return { rows: after === undefined ? rows.reverse() : rows, more: found.length > limit };
}

/** Returns the message with the given number of each conversation, by conversation id. */
export async function listLastMessages(
  db: Db,
  last: { conversationId: string; seq: number }[],
): Promise<Map<string, MessageDetails>> {
  if (last.length === 0) return new Map();
  const rows = await selectMessages(db).where(
    sql`(${chatMessages.conversationId}, ${chatMessages.seq}) in (
      select * from unnest(
        ${sql.param(last.map((each) => each.conversationId))}::uuid[],
        ${sql.param(last.map((each) => each.seq))}::bigint[]))`,
  );
  return new Map(rows.map((row) => [row.message.conversationId, row]));
}

export async function listRemovedSeqs(db: Db, conversationId: string, from: number): Promise<number[]> {
  const rows = await db
    .select({ seq: chatMessages.seq })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.conversationId, conversationId),
        gt(chatMessages.seq, from),
        isNotNull(chatMessages.removedAt),
      ),
    )
    .orderBy(chatMessages.seq);
  return rows.map((row) => row.seq);
}

export async function findMessage(db: Db, id: string): Promise<MessageDetails | null> {
  const [row] = await selectMessages(db).where(eq(chatMessages.id, id));
  return row ?? null;
}

/** Finds the message that a sender stored earlier with the same `clientId`. */
export async function findByClientId(
  db: Db,
  { fromId, conversationId, clientId }: { fromId: string; conversationId: string; clientId: string },
): Promise<MessageDetails | null> {
  const [row] = await selectMessages(db).where(
    and(
      eq(chatMessages.fromId, fromId),
      eq(chatMessages.conversationId, conversationId),
      eq(chatMessages.clientId, clientId),
    ),
  );
  return row ?? null;
}

type NewMessage = Omit<typeof chatMessages.$inferSelect, 'seq' | 'removedAt' | 'removedBy'>;

const insertedRow = z.object({ new_seq: z.int().nullable(), previous_message_at: timestamp.nullable() });

/** Returns the new number and the time of the sender's previous message there, or null when the `clientId` is a repeat. */
export async function insertMessage(
  db: Db,
  { conversationId, clientId, fromId, replyToSeq, createdAt, ...rest }: NewMessage,
): Promise<{ seq: number; previousSentAt: Date | null } | null> {
  const row = {
    ...rest,
    conversation_id: conversationId,
    client_id: clientId,
    from_id: fromId,
    reply_to_seq: replyToSeq,
    created_at: createdAt,
  };
  const result = await db.execute(
    sql`select new_seq, previous_message_at from chat_message_insert(${JSON.stringify(row)}::jsonb)`,
  );
  const [inserted] = parseRows(insertedRow, result);
  if (inserted === undefined || inserted.new_seq === null) return null;
  return { seq: inserted.new_seq, previousSentAt: inserted.previous_message_at };
}

export async function hasMessageFrom(
  db: Db,
  { conversationId, fromId, after }: { conversationId: string; fromId: string; after: number },
): Promise<boolean> {
  const rows = await db
    .select({ seq: chatMessages.seq })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.conversationId, conversationId),
        gt(chatMessages.seq, after),
        eq(chatMessages.fromId, fromId),
        isNull(chatMessages.removedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Returns false when the message was removed; otherwise it cannot be removed before the transaction ends. */
export async function lockMessage(db: Db, { conversationId, seq }: MessageRow): Promise<boolean> {
  const rows = await db
    .select({ seq: chatMessages.seq })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.conversationId, conversationId),
        eq(chatMessages.seq, seq),
        isNull(chatMessages.removedAt),
      ),
    )
    .for('share');
  return rows.length > 0;
}

/** Keeps a tombstone with the number; the content is erased only when the sender recalls the message. */
export async function removeMessage(
  db: Db,
  { conversationId, seq }: MessageRow,
  { by, now, isErased }: { by: string; now: Date; isErased: boolean },
): Promise<boolean> {
  const rows = await db
    .update(chatMessages)
    .set({
      removedAt: now,
      removedBy: by,
      folded: '',
      tokens: [],
      ...(isErased ? { content: '', masked: null, html: '', image: null } : {}),
    })
    .where(
      and(
        eq(chatMessages.conversationId, conversationId),
        eq(chatMessages.seq, seq),
        isNull(chatMessages.removedAt),
      ),
    )
    .returning({ seq: chatMessages.seq });
  return rows.length > 0;
}

export async function findOwnPicture(db: Db, userId: string, path: string): Promise<Picture | null> {
  const [row] = await db
    .select({
      path: uploads.path,
      thumbPath: uploads.thumbPath,
      width: uploads.width,
      height: uploads.height,
    })
    .from(uploads)
    .where(and(eq(uploads.path, path), eq(uploads.userId, userId)))
    .limit(1);
  return row ?? null;
}

export async function listThumbnails(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .select({ path: uploads.path, thumbPath: uploads.thumbPath })
    .from(uploads)
    .where(sql`${uploads.path} = any(${sql.param(paths)}::text[])`);
  return new Map(rows.map((row) => [row.path, row.thumbPath]));
}
