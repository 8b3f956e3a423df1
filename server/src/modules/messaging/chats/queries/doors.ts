import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { sqlBoolean, sqlInt, sqlText } from '../../../../db/rows.ts';
import { blocks, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essays, purchases } from '../../../content/essays/tables.ts';
import { conversationMembers, conversations } from '../tables.ts';
import { type CardUser, person } from './people.ts';

/** How somebody stands to the room of an essay. */
export interface Door {
  essay: Pick<EssayRow, 'id' | 'title' | 'authorId' | 'status' | 'deletedAt' | 'price' | 'memberFree'>;
  isBought: boolean;
  /** Who stands there. */
  user: CardUser;
  /** By the author. */
  isBlocked: boolean;
  /** None: nobody has said anything yet. */
  conversationId: string | null;
  lastSeq: number;
  updatedAt: Date;
  readSeq: number;
  mutedUntil: Date | null;
}

const ID_LENGTH = 32;

const door = (userId: string | SQL) => ({
  essay: {
    id: essays.id,
    title: essays.title,
    authorId: essays.authorId,
    status: essays.status,
    deletedAt: essays.deletedAt,
    price: essays.price,
    memberFree: essays.memberFree,
  },
  isBought: sqlBoolean`exists (
    select 1 from ${purchases}
    where ${purchases.userId} = ${userId} and ${purchases.targetId} in (${essays.id}, ${essays.columnId}))`,
  user: person,
  isBlocked: sqlBoolean`exists (
    select 1 from ${blocks} where ${blocks.userId} = ${essays.authorId} and ${blocks.blockedId} = ${userId})`,
  conversationId: conversations.id,
  lastSeq: sqlInt`coalesce(${conversations.lastSeq}, 0)`,
  updatedAt: sql`coalesce(${conversations.updatedAt}, ${essays.updatedAt})`.mapWith(conversations.updatedAt),
  readSeq: sqlInt`coalesce(${conversationMembers.readSeq}, 0)`,
  mutedUntil: conversationMembers.mutedUntil,
});

export function listDoors(db: Db, userId: string, essayIds: string[]): Promise<Door[]> {
  return db
    .select(door(userId))
    .from(essays)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(conversations, eq(conversations.essayId, essays.id))
    .leftJoin(
      conversationMembers,
      and(eq(conversationMembers.conversationId, conversations.id), eq(conversationMembers.userId, userId)),
    )
    .where(sql`${essays.id} = any(${sql.param(essayIds)}::uuid[])`);
}

/** By a person's id and an essay's, one behind the other: one statement for many that ask at once. */
export function createDoorsQuery(db: Db): (keys: string[]) => Promise<Map<string, Door>> {
  const userId = sql`asked.user_id`;
  const query = db
    .select({ ...door(userId), key: sqlText`asked.key` })
    .from(essays)
    .innerJoin(
      sql`unnest(${sql.placeholder('keys')}::text[], ${sql.placeholder('userIds')}::uuid[],
        ${sql.placeholder('essayIds')}::uuid[]) as asked (key, user_id, essay_id)`,
      sql`asked.essay_id = ${essays.id}`,
    )
    .innerJoin(users, sql`${users.id} = ${userId}`)
    .leftJoin(conversations, eq(conversations.essayId, essays.id))
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.conversationId, conversations.id),
        sql`${conversationMembers.userId} = ${userId}`,
      ),
    )
    .prepare('doors');
  return async (keys) => {
    const userIds = keys.map((key) => key.slice(0, ID_LENGTH));
    const essayIds = keys.map((key) => key.slice(ID_LENGTH));
    const rows = await query.execute({ keys, userIds, essayIds });
    return new Map(rows.map(({ key, ...row }) => [key, row]));
  };
}

/** As many as anybody takes part in; of more, those where something was said last. */
const MOST_ROOMS = 1000;

/** Of the rooms that somebody takes part in, the last spoken in first. */
export function listOwnDoors(
  db: Db,
  userId: string,
  filter: { keyword?: string | undefined; isUnread?: boolean } = {},
): Promise<Door[]> {
  return db
    .select(door(userId))
    .from(conversationMembers)
    .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
    .innerJoin(essays, eq(essays.id, conversations.essayId))
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(conversationMembers.userId, userId),
        isNull(conversationMembers.listedAt),
        isNull(conversationMembers.leftAt),
        filter.keyword ? sql`strpos(lower(${essays.title}), lower(${filter.keyword})) > 0` : undefined,
        filter.isUnread ? sql`${conversations.lastSeq} > ${conversationMembers.readSeq}` : undefined,
      ),
    )
    .orderBy(desc(conversations.updatedAt), desc(conversations.id))
    .limit(MOST_ROOMS);
}
