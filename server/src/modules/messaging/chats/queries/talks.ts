import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { parseRows, sqlInt } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { pairOf } from '../rules/chats.ts';
import { type ConversationRow, conversationMembers, conversations } from '../tables.ts';
import { type CardUser, person } from './people.ts';

/** Of two people; nobody else says anything there until the transaction ends. Made if there is none. */
export async function lockPair(
  db: Db,
  { fromId, toId, now }: { fromId: string; toId: string; now: Date },
): Promise<ConversationRow> {
  const [row] = await db
    .insert(conversations)
    .values({ id: newId(), ...pairOf(fromId, toId), startedBy: fromId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [conversations.userA, conversations.userB],
      set: { updatedAt: sql`${conversations.updatedAt}` },
    })
    .returning();
  if (row === undefined) throw new Error('no conversation');
  if (row.lastSeq === 0)
    await db
      .insert(conversationMembers)
      .values([fromId, toId].sort().map((userId) => ({ conversationId: row.id, userId })))
      .onConflictDoNothing();
  return row;
}

/** The room of an essay; its author takes part in it from its first word. */
export async function makeRoom(
  db: Db,
  { essayId, authorId, now }: { essayId: string; authorId: string; now: Date },
): Promise<string> {
  const [made] = await db
    .insert(conversations)
    .values({ id: newId(), essayId, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: conversations.essayId, set: { essayId } })
    .returning({ id: conversations.id });
  if (made === undefined) throw new Error('no conversation');
  await db
    .insert(conversationMembers)
    .values({ conversationId: made.id, userId: authorId })
    .onConflictDoNothing();
  return made.id;
}

export interface Standing {
  conversation: ConversationRow;
  readSeq: number;
  otherReadSeq: number;
}

const readBy = (userId: string) => sqlInt`coalesce((
  select read_seq from conversation_members
  where conversation_id = conversations.id and user_id = ${userId}), 0)`;

/** How far two people have read what they said to each other. */
export async function findPair(db: Db, ownId: string, otherId: string): Promise<Standing | null> {
  const { userA, userB } = pairOf(ownId, otherId);
  const [row] = await db
    .select({ conversation: conversations, readSeq: readBy(ownId), otherReadSeq: readBy(otherId) })
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

/** Whom somebody has talked with, the last first. */
export function listPairs(
  db: Db,
  query: PageQuery & { userId: string; keyword?: string | undefined },
): Promise<Page<PairRow>> {
  const { userId, keyword } = query;
  const otherId = sql`case when ${conversations.userA} = ${userId} then ${conversations.userB} else ${conversations.userA} end`;
  const mine = and(eq(conversationMembers.userId, userId), isNotNull(conversationMembers.listedAt));
  const named: SQL | undefined = keyword
    ? sql`strpos(lower(${users.displayName}), lower(${keyword})) > 0`
    : undefined;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({
          id: conversations.id,
          other: person,
          lastSeq: conversations.lastSeq,
          readSeq: conversationMembers.readSeq,
          listedAt: sql`${conversationMembers.listedAt}`.mapWith(conversations.updatedAt),
        })
        .from(conversationMembers)
        .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
        .innerJoin(users, eq(users.id, otherId))
        .where(and(mine, named, behind(after)))
        .orderBy(desc(conversationMembers.listedAt), desc(conversationMembers.conversationId))
        .offset(offset)
        .limit(limit),
    total: async () => {
      if (named === undefined) return db.$count(conversationMembers, mine);
      const found = db
        .select({ id: conversations.id })
        .from(conversationMembers)
        .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
        .innerJoin(users, eq(users.id, otherId))
        .where(and(mine, named))
        .as('found');
      return db.$count(found);
    },
    key: ({ listedAt, id }) => [listedAt.toISOString(), id],
    parts: ['time'],
  });
}

const behind = (after: string[] | null): SQL | undefined =>
  after === null
    ? undefined
    : sql`(${conversationMembers.listedAt}, ${conversationMembers.conversationId}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;

const seqRow = z.object({ seq: z.int() });

/** Only forwards, and no further than there is something; false: it was read before. */
export async function updateRead(
  db: Db,
  { conversationId, userId, seq }: { conversationId: string; userId: string; seq: number },
): Promise<number | null> {
  const result = await db.execute(sql`
    update conversation_members as place set read_seq = least(${seq}::bigint, last_seq)
    from conversations
    where conversations.id = ${conversationId} and place.conversation_id = ${conversationId}
      and place.user_id = ${userId} and place.read_seq < least(${seq}::bigint, last_seq)
    returning place.read_seq as seq`);
  return parseRows(seqRow, result)[0]?.seq ?? null;
}

/** Whoever reads in a room takes part in it from then on. */
export async function insertMember(db: Db, conversationId: string, userId: string): Promise<void> {
  await db.insert(conversationMembers).values({ conversationId, userId }).onConflictDoNothing();
}

export async function updateLeft(db: Db, conversationId: string, userId: string, now: Date): Promise<void> {
  await db
    .update(conversationMembers)
    .set({ leftAt: now })
    .where(
      and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, userId)),
    );
}

/** Whoever takes no part in the room does not by being muted there. */
export async function updateMuted(
  db: Db,
  place: { conversationId: string; userId: string; mutedUntil: Date | null; now: Date },
): Promise<void> {
  const { now, ...row } = place;
  await db
    .insert(conversationMembers)
    .values({ ...row, leftAt: now })
    .onConflictDoUpdate({
      target: [conversationMembers.conversationId, conversationMembers.userId],
      set: { mutedUntil: row.mutedUntil },
    });
}

export async function listMuted(
  db: Db,
  conversationId: string,
  now: Date,
): Promise<{ user: CardUser; mutedUntil: Date }[]> {
  return db
    .select({
      user: person,
      mutedUntil: sql`${conversationMembers.mutedUntil}`.mapWith(conversations.updatedAt),
    })
    .from(conversationMembers)
    .innerJoin(users, eq(users.id, conversationMembers.userId))
    .where(
      and(eq(conversationMembers.conversationId, conversationId), gt(conversationMembers.mutedUntil, now)),
    )
    .orderBy(conversationMembers.mutedUntil, users.id);
}

/** As many of somebody's conversations are counted, the last ones: it is asked at every message. */
const MOST_COUNTED = 1000;

/** Of all that others said to somebody alone. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const places = db
    .select({ id: conversationMembers.conversationId, readSeq: conversationMembers.readSeq })
    .from(conversationMembers)
    .where(and(eq(conversationMembers.userId, userId), isNotNull(conversationMembers.listedAt)))
    .orderBy(desc(conversationMembers.listedAt), desc(conversationMembers.conversationId))
    .limit(MOST_COUNTED)
    .as('places');
  const [row] = await db
    .select({ count: sqlInt`coalesce(sum(${conversations.lastSeq} - ${places.readSeq}), 0)::int` })
    .from(places)
    .innerJoin(conversations, eq(conversations.id, places.id));
  return row?.count ?? 0;
}
