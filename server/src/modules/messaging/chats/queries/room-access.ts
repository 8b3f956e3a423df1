import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { sqlBoolean, sqlInt, sqlText } from '../../../../db/rows.ts';
import { blocks, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essays, purchases } from '../../../content/essays/tables.ts';
import { conversationMembers, conversations } from '../tables.ts';
import { type CardUser, userCardColumns } from './users.ts';

/** What decides whether a user may enter the room of an essay, with the user's state there. */
export interface RoomAccess {
  essay: Pick<
    EssayRow,
    'id' | 'slug' | 'title' | 'authorId' | 'status' | 'deletedAt' | 'price' | 'memberFree'
  >;
  isBought: boolean;
  user: CardUser;
  /** True when the author has blocked the user. */
  isBlocked: boolean;
  /** Null until the first message. */
  conversationId: string | null;
  lastSeq: number;
  updatedAt: Date;
  readSeq: number;
  mutedUntil: Date | null;
}

const ID_LENGTH = 32;

const roomAccessColumns = (userId: string | SQL) => ({
  essay: {
    id: essays.id,
    slug: essays.slug,
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
  user: userCardColumns,
  isBlocked: sqlBoolean`exists (
    select 1 from ${blocks} where ${blocks.userId} = ${essays.authorId} and ${blocks.blockedId} = ${userId})`,
  conversationId: conversations.id,
  lastSeq: sqlInt`coalesce(${conversations.lastSeq}, 0)`,
  updatedAt: sql`coalesce(${conversations.updatedAt}, ${essays.updatedAt})`.mapWith(conversations.updatedAt),
  readSeq: sqlInt`coalesce(${conversationMembers.readSeq}, 0)`,
  mutedUntil: conversationMembers.mutedUntil,
});

export function listRoomAccess(db: Db, userId: string, essayIds: string[]): Promise<RoomAccess[]> {
  return db
    .select(roomAccessColumns(userId))
    .from(essays)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(conversations, eq(conversations.essayId, essays.id))
    .leftJoin(
      conversationMembers,
      and(eq(conversationMembers.conversationId, conversations.id), eq(conversationMembers.userId, userId)),
    )
    .where(sql`${essays.id} = any(${sql.param(essayIds)}::uuid[])`);
}

/** Loads many rooms with one statement; a key is a user id followed by an essay id. */
export function createRoomAccessQuery(db: Db): (keys: string[]) => Promise<Map<string, RoomAccess>> {
  const userId = sql`requested.user_id`;
  const query = db
    .select({ ...roomAccessColumns(userId), key: sqlText`requested.key` })
    .from(essays)
    .innerJoin(
      sql`unnest(${sql.placeholder('keys')}::text[], ${sql.placeholder('userIds')}::uuid[],
        ${sql.placeholder('essayIds')}::uuid[]) as requested (key, user_id, essay_id)`,
      sql`requested.essay_id = ${essays.id}`,
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
    .prepare('room_access');
  return async (keys) => {
    const userIds = keys.map((key) => key.slice(0, ID_LENGTH));
    const essayIds = keys.map((key) => key.slice(ID_LENGTH));
    const rows = await query.execute({ keys, userIds, essayIds });
    return new Map(rows.map(({ key, ...row }) => [key, row]));
  };
}

/** Limits the cost, since every room is checked one by one; only the most recently active ones are listed. */
const MAX_ROOMS = 1000;

export function listOwnRooms(
  db: Db,
  userId: string,
  filter: { keyword?: string | undefined; isUnread?: boolean } = {},
): Promise<RoomAccess[]> {
  return db
    .select(roomAccessColumns(userId))
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
    .limit(MAX_ROOMS);
}
