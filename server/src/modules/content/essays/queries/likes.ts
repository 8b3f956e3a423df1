import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { parseRows, sqlInt } from '../../../../db/rows.ts';
import { blocks, type User, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essayLikes, essays } from '../tables.ts';

export interface LikeKey {
  userId: string;
  essayId: string;
}

/** Locks in id order to avoid a deadlock between processes. */
export const lockEssays = (db: Db, ids: string[]): Promise<EssayRow[]> =>
  db.select().from(essays).where(inArray(essays.id, ids)).orderBy(essays.id).for('no key update');

const toArrays = (keys: LikeKey[]) => sql`
  ${sql.param(keys.map((key) => key.userId))}::uuid[], ${sql.param(keys.map((key) => key.essayId))}::uuid[]`;

const likeRow = z.object({ user_id: z.string(), essay_id: z.string() });
const addedRow = likeRow.extend({ open: z.boolean() });

/** Returns the likes that are new, and whether others may see them. Ignores deleted users. */
export async function insertLikes(
  db: Db,
  keys: LikeKey[],
  now: Date,
): Promise<(LikeKey & { isVisible: boolean })[]> {
  if (keys.length === 0) return [];
  const result = await db.execute(sql`
    with likers as materialized (
      select id, coalesce((privacy ->> 'like')::boolean, true) as open from users
      where id = any(${sql.param(keys.map((key) => key.userId))}::uuid[]) order by id for key share
    ), added as (
      insert into essay_likes (user_id, essay_id, id, created_at)
      select requested.user_id, requested.essay_id, requested.id, ${now.toISOString()}::timestamptz
      from unnest(${toArrays(keys)}, ${sql.param(keys.map(() => newId()))}::uuid[]) as requested (user_id, essay_id, id)
      join likers on likers.id = requested.user_id
      on conflict do nothing returning user_id, essay_id
    )
    select user_id, essay_id, open from added join likers on likers.id = user_id`);
  return parseRows(addedRow, result).map((row) => ({
    userId: row.user_id,
    essayId: row.essay_id,
    isVisible: row.open,
  }));
}

/** Returns the likes that existed. */
export async function removeLikes(db: Db, keys: LikeKey[]): Promise<LikeKey[]> {
  if (keys.length === 0) return [];
  const result = await db.execute(sql`
    delete from essay_likes using unnest(${toArrays(keys)}) as revoked (user_id, essay_id)
    where essay_likes.user_id = revoked.user_id and essay_likes.essay_id = revoked.essay_id
    returning essay_likes.user_id, essay_likes.essay_id`);
  return parseRows(likeRow, result).map((row) => ({ userId: row.user_id, essayId: row.essay_id }));
}

/** Deletes the likes of these users and of their essays. Locks the users, so that no like is added concurrently. */
export async function removeLikesForUsers(db: Db, userIds: string[]): Promise<LikeKey[]> {
  const ownEssays = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  return db
    .delete(essayLikes)
    .where(or(inArray(essayLikes.userId, userIds), inArray(essayLikes.essayId, ownEssays)))
    .returning({ userId: essayLikes.userId, essayId: essayLikes.essayId });
}

export interface LikerRow {
  id: string;
  createdAt: Date;
  user: User;
}

/** Newest first; omits users who hide their likes or whom the viewer has blocked. */
export function listLikers(
  db: Db,
  query: PageQuery & { essayId: string; viewerId: string | null },
): Promise<Page<LikerRow>> {
  const match = and(
    eq(essayLikes.essayId, query.essayId),
    sql`coalesce((${users.privacy} ->> 'like')::boolean, true)`,
    query.viewerId === null
      ? undefined
      : sql`not exists (
          select 1 from ${blocks} where ${blocks.userId} = ${query.viewerId} and ${blocks.blockedId} = ${users.id})`,
  );
  return listPage(db, query, {
    select: db
      .select({ id: essayLikes.id, createdAt: essayLikes.createdAt, user: users })
      .from(essayLikes)
      .innerJoin(users, eq(users.id, essayLikes.userId)),
    match,
    id: essayLikes.id,
    total: async () => {
      const some = db
        .select({ id: essayLikes.id })
        .from(essayLikes)
        .innerJoin(users, eq(users.id, essayLikes.userId))
        .where(match)
        .limit(MAX_COUNTED_ROWS)
        .as('some');
      return db.$count(some);
    },
    key: (row) => [row.id],
  });
}

export interface LikedRow {
  id: string;
  essayId: string;
  createdAt: Date;
}

/** Newest first; omits essays that have left the shelf. */
export function listLikedEssays(db: Db, query: PageQuery & { userId: string }): Promise<Page<LikedRow>> {
  const match = and(eq(essayLikes.userId, query.userId), eq(essays.status, ESSAY_STATUS.onShelf));
  return listPage(db, query, {
    select: db
      .select({ id: essayLikes.id, essayId: essayLikes.essayId, createdAt: essayLikes.createdAt })
      .from(essayLikes)
      .innerJoin(essays, eq(essays.id, essayLikes.essayId)),
    match,
    id: essayLikes.id,
    total: async () => {
      const [row] = await db
        .select({ total: sqlInt`count(*)::int` })
        .from(essayLikes)
        .innerJoin(essays, eq(essays.id, essayLikes.essayId))
        .where(match);
      return row?.total ?? 0;
    },
    key: (row) => [row.id],
  });
}
