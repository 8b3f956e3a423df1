import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, timestamp } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { chatMessages, type MessageRow, type Picture } from '../tables.ts';
import { type CardUser, person } from './people.ts';

export const noMessage = () => new CallError('NOT_FOUND', { message: '没有找到这条消息' });

/** All of it but what it is found by. */
const message = {
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
const answered = alias(users, 'answered');

/** What a reply shows of what it answers. */
export interface Replied {
  seq: number;
  fromId: string | null;
  kind: MessageRow['kind'];
  html: string;
  removedAt: Date | null;
}

export interface SaidRow {
  message: MessageRow;
  from: CardUser | null;
  replied: Replied | null;
  answered: { displayName: string } | null;
}

export const selectSaid = (db: Db) =>
  db
    .select({
      message,
      from: person,
      replied: {
        seq: replied.seq,
        fromId: replied.fromId,
        kind: replied.kind,
        html: replied.html,
        removedAt: replied.removedAt,
      },
      answered: { displayName: answered.displayName },
    })
    .from(chatMessages)
    .leftJoin(users, eq(users.id, chatMessages.fromId))
    .leftJoin(
      replied,
      and(eq(replied.conversationId, chatMessages.conversationId), eq(replied.seq, chatMessages.replyToSeq)),
    )
    .leftJoin(answered, eq(answered.id, replied.fromId));

/** In the order of their numbers, and whether there are more in the direction asked for. */
export async function listMessages(
  db: Db,
  query: { conversationId: string; after?: number | undefined; before?: number | undefined; limit: number },
): Promise<{ rows: SaidRow[]; more: boolean }> {
  const { conversationId, after, before, limit } = query;
  const found = await selectSaid(db)
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

/** Of these conversations the newest message each. */
export async function listLast(
  db: Db,
  last: { conversationId: string; seq: number }[],
): Promise<Map<string, SaidRow>> {
  if (last.length === 0) return new Map();
  const rows = await selectSaid(db).where(
    sql`(${chatMessages.conversationId}, ${chatMessages.seq}) in (
      select * from unnest(
        ${sql.param(last.map((each) => each.conversationId))}::uuid[],
        ${sql.param(last.map((each) => each.seq))}::bigint[]))`,
  );
  return new Map(rows.map((row) => [row.message.conversationId, row]));
}

/** Which of the newest were taken away. */
export async function listRemoved(db: Db, conversationId: string, from: number): Promise<number[]> {
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

export async function findSaid(db: Db, id: string): Promise<SaidRow | null> {
  const [row] = await selectSaid(db).where(eq(chatMessages.id, id));
  return row ?? null;
}

/** What somebody has said before under this number of theirs. */
export async function findByClient(
  db: Db,
  { fromId, conversationId, clientId }: { fromId: string; conversationId: string; clientId: string },
): Promise<SaidRow | null> {
  const [row] = await selectSaid(db).where(
    and(
      eq(chatMessages.fromId, fromId),
      eq(chatMessages.conversationId, conversationId),
      eq(chatMessages.clientId, clientId),
    ),
  );
  return row ?? null;
}

type NewMessage = Omit<typeof chatMessages.$inferSelect, 'seq' | 'removedAt' | 'removedBy'>;

const saidRow = z.object({ new_seq: z.int().nullable(), said_before: timestamp.nullable() });

/** Its number, and when its sender spoke there before; null: it was said before. */
export async function say(
  db: Db,
  { conversationId, clientId, fromId, replyToSeq, createdAt, ...rest }: NewMessage,
): Promise<{ seq: number; saidBefore: Date | null } | null> {
  const row = {
    ...rest,
    conversation_id: conversationId,
    client_id: clientId,
    from_id: fromId,
    reply_to_seq: replyToSeq,
    created_at: createdAt,
  };
  const result = await db.execute(
    sql`select new_seq, said_before from chat_say(${JSON.stringify(row)}::jsonb)`,
  );
  const [said] = parseRows(saidRow, result);
  if (said === undefined || said.new_seq === null) return null;
  return { seq: said.new_seq, saidBefore: said.said_before };
}

/** Whether something somebody said behind this number is still there. */
export async function hasSaid(
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

/** Whether it is still there; if so, nobody takes it away before the transaction ends. */
export async function holdMessage(db: Db, { conversationId, seq }: MessageRow): Promise<boolean> {
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

/** What is left of a message is its place; by whoever said it, nothing else is kept. */
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

/** An upload of one's own. */
export async function findPicture(db: Db, userId: string, path: string): Promise<Picture | null> {
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

/** The small ones of these pictures. */
export async function listThumbs(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .select({ path: uploads.path, thumbPath: uploads.thumbPath })
    .from(uploads)
    .where(sql`${uploads.path} = any(${sql.param(paths)}::text[])`);
  return new Map(rows.map((row) => [row.path, row.thumbPath]));
}
