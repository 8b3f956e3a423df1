import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { parseRows, sqlInt } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { toPairKey } from '../rules/chats.ts';
import { type ConversationRow, conversationMembers, conversations } from '../tables.ts';
import { type CardUser, userCardColumns } from './users.ts';

/** Creates the conversation of two users if needed and locks it, so that nobody else writes there until the transaction ends. */
export async function lockPair(
  db: Db,
  { fromId, toId, now }: { fromId: string; toId: string; now: Date },
): Promise<ConversationRow> {
  const [row] = await db
    .insert(conversations)
    .values({ id: newId(), ...toPairKey(fromId, toId), startedBy: fromId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [conversations.userA, conversations.userB],
      set: { updatedAt: sql`${conversations.updatedAt}` },
    })
    .returning();
  if (row === undefined) throw new Error('conversation was not returned');
  if (row.lastSeq === 0)
    await db
      .insert(conversationMembers)
      .values([fromId, toId].sort().map((userId) => ({ conversationId: row.id, userId })))
      .onConflictDoNothing();
  return row;
}

/** Returns the room of an essay, creating it with the author as its first member. */
export async function ensureRoom(
  db: Db,
  { essayId, authorId, now }: { essayId: string; authorId: string; now: Date },
): Promise<string> {
  const [room] = await db
    .insert(conversations)
    .values({ id: newId(), essayId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: conversations.essayId, set: { essayId } })
    .returning({ id: conversations.id });
  if (room === undefined) throw new Error('conversation was not returned');
  await db
    .insert(conversationMembers)
    .values({ conversationId: room.id, userId: authorId })
    .onConflictDoNothing();
  return room.id;
}

export interface PairState {
  conversation: ConversationRow;
  readSeq: number;
  otherReadSeq: number;
}

const readSeqBy = (userId: string) => sqlInt`coalesce((
  select read_seq from conversation_members
  where conversation_id = conversations.id and user_id = ${userId}), 0)`;

export async function findPair(db: Db, ownId: string, otherId: string): Promise<PairState | null> {
  const { userA, userB } = toPairKey(ownId, otherId);
  const [row] = await db
    .select({ conversation: conversations, readSeq: readSeqBy(ownId), otherReadSeq: readSeqBy(otherId) })
    .from(conversations)
    .where(and(eq(conversations.userA, userA), eq(conversations.userB, userB)));
  return row ?? null;
}

export async function findConversation(db: Db, id: string): Promise<ConversationRow | null> {
  const [row] = await db.select().from(conversations).where(eq(conversations.id, id));
  return row ?? null;
}

export interface PairRow {
  id: string;
  other: CardUser;
  lastSeq: number;
  readSeq: number;
  listedAt: Date;
}

export function listPairs(
  db: Db,
  query: PageQuery & { userId: string; keyword?: string | undefined },
): Promise<Page<PairRow>> {
  const { userId, keyword } = query;
  const otherId = sql`case when ${conversations.userA} = ${userId} then ${conversations.userB} else ${conversations.userA} end`;
  const isListed = and(eq(conversationMembers.userId, userId), isNotNull(conversationMembers.listedAt));
  const matchesName: SQL | undefined = keyword
    ? sql`strpos(lower(${users.displayName}), lower(${keyword})) > 0`
    : undefined;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({
          id: conversations.id,
          other: userCardColumns,
          lastSeq: conversations.lastSeq,
          readSeq: conversationMembers.readSeq,
          listedAt: sql`${conversationMembers.listedAt}`.mapWith(conversations.updatedAt),
        })
        .from(conversationMembers)
        .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
        .innerJoin(users, eq(users.id, otherId))
        .where(and(isListed, matchesName, afterCursor(after)))
        .orderBy(desc(conversationMembers.listedAt), desc(conversationMembers.conversationId))
        .offset(offset)
        .limit(limit),
    total: async () => {
      if (matchesName === undefined) return db.$count(conversationMembers, isListed);
      const found = db
        .select({ id: conversations.id })
        .from(conversationMembers)
        .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
        .innerJoin(users, eq(users.id, otherId))
        .where(and(isListed, matchesName))
        .as('found');
      return db.$count(found);
    },
    key: ({ listedAt, id }) => [listedAt.toISOString(), id],
    parts: ['time'],
  });
}

const afterCursor = (after: string[] | null): SQL | undefined =>
  after === null
    ? undefined
    : sql`(${conversationMembers.listedAt}, ${conversationMembers.conversationId}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;

const seqRow = z.object({ seq: z.int() });

/** Moves the read position forwards, at most to the newest message; returns null when it did not move. */
export async function advanceReadSeq(
  db: Db,
  { conversationId, userId, seq }: { conversationId: string; userId: string; seq: number },
): Promise<number | null> {
  const result = await db.execute(sql`
    update conversation_members as member set read_seq = least(${seq}::bigint, last_seq)
    from conversations
    where conversations.id = ${conversationId} and member.conversation_id = ${conversationId}
      and member.user_id = ${userId} and member.read_seq < least(${seq}::bigint, last_seq)
    returning member.read_seq as seq`);
  return parseRows(seqRow, result)[0]?.seq ?? null;
}

/** A user becomes a member of a room by reading there. */
export async function insertMember(db: Db, conversationId: string, userId: string): Promise<void> {
  await db.insert(conversationMembers).values({ conversationId, userId }).onConflictDoNothing();
}

export async function updateLeftAt(db: Db, conversationId: string, userId: string, now: Date): Promise<void> {
  await db
    .update(conversationMembers)
    .set({ leftAt: now })
    .where(
      and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, userId)),
    );
}

/** A user who is not a member gets a row with `leftAt`, since muting does not make them one. */
export async function updateMutedUntil(
  db: Db,
  member: { conversationId: string; userId: string; mutedUntil: Date | null; now: Date },
): Promise<void> {
  const { now, ...row } = member;
  await db
    .insert(conversationMembers)
    .values({ ...row, leftAt: now })
    .onConflictDoUpdate({
      target: [conversationMembers.conversationId, conversationMembers.userId],
      set: { mutedUntil: row.mutedUntil },
    });
}

export async function listMutedMembers(
  db: Db,
  conversationId: string,
  now: Date,
): Promise<{ user: CardUser; mutedUntil: Date }[]> {
  return db
    .select({
      user: userCardColumns,
      mutedUntil: sql`${conversationMembers.mutedUntil}`.mapWith(conversations.updatedAt),
    })
    .from(conversationMembers)
    .innerJoin(users, eq(users.id, conversationMembers.userId))
    .where(
      and(eq(conversationMembers.conversationId, conversationId), gt(conversationMembers.mutedUntil, now)),
    )
    .orderBy(conversationMembers.mutedUntil, users.id);
}

/** Limits the cost of the count, which runs at every message; only the most recently active pairs count. */
const MAX_COUNTED_PAIRS = 1000;

export async function countUnreadInPairs(db: Db, userId: string): Promise<number> {
  const members = db
    .select({ id: conversationMembers.conversationId, readSeq: conversationMembers.readSeq })
    .from(conversationMembers)
    .where(and(eq(conversationMembers.userId, userId), isNotNull(conversationMembers.listedAt)))
    .orderBy(desc(conversationMembers.listedAt), desc(conversationMembers.conversationId))
    .limit(MAX_COUNTED_PAIRS)
    .as('members');
  const [row] = await db
    .select({ count: sqlInt`coalesce(sum(${conversations.lastSeq} - ${members.readSeq}), 0)::int` })
    .from(members)
    .innerJoin(conversations, eq(conversations.id, members.id));
  return row?.count ?? 0;
}
