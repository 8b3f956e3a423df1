import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { MOST_COUNTED } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { parseRows, sqlInt } from '../../../../db/rows.ts';
import { blocks, type User, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essayLikes, essays } from '../tables.ts';

/** Whose like of what. */
export interface Pair {
  userId: string;
  essayId: string;
}

/** Locked in the order of ids: processes that count the same essays wait for each other, never in a circle. */
export const lockEssays = (db: Db, ids: string[]): Promise<EssayRow[]> =>
  db.select().from(essays).where(inArray(essays.id, ids)).orderBy(essays.id).for('no key update');

const given = (pairs: Pair[]) => sql`
  ${sql.param(pairs.map((pair) => pair.userId))}::uuid[], ${sql.param(pairs.map((pair) => pair.essayId))}::uuid[]`;

const pairRow = z.object({ user_id: z.string(), essay_id: z.string() });
const addedRow = pairRow.extend({ open: z.boolean() });

/** Answers with those that were not there, and whether others may know of them; people who are gone are left out. */
export async function insertLikes(db: Db, pairs: Pair[], now: Date): Promise<(Pair & { isOpen: boolean })[]> {
  if (pairs.length === 0) return [];
  const result = await db.execute(sql`
    with people as materialized (
      select id, coalesce((privacy ->> 'like')::boolean, true) as open from users
      where id = any(${sql.param(pairs.map((pair) => pair.userId))}::uuid[]) order by id for key share
    ), added as (
      insert into essay_likes (user_id, essay_id, id, created_at)
      select wanted.user_id, wanted.essay_id, wanted.id, ${now.toISOString()}::timestamptz
      from unnest(${given(pairs)}, ${sql.param(pairs.map(() => newId()))}::uuid[]) as wanted (user_id, essay_id, id)
      join people on people.id = wanted.user_id
      on conflict do nothing returning user_id, essay_id
    )
    select user_id, essay_id, open from added join people on people.id = user_id`);
  return parseRows(addedRow, result).map((row) => ({
    userId: row.user_id,
    essayId: row.essay_id,
    isOpen: row.open,
  }));
}

/** Answers with those that were there. */
export async function removeLikes(db: Db, pairs: Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const result = await db.execute(sql`
    delete from essay_likes using unnest(${given(pairs)}) as unwanted (user_id, essay_id)
    where essay_likes.user_id = unwanted.user_id and essay_likes.essay_id = unwanted.essay_id
    returning essay_likes.user_id, essay_likes.essay_id`);
  return parseRows(pairRow, result).map((row) => ({ userId: row.user_id, essayId: row.essay_id }));
}

/** All of these people's, who are locked, so that no like of theirs comes after, and all of what they wrote. */
export async function removeLikesAround(db: Db, userIds: string[]): Promise<Pair[]> {
  const theirs = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  return db
    .delete(essayLikes)
    .where(or(inArray(essayLikes.userId, userIds), inArray(essayLikes.essayId, theirs)))
    .returning({ userId: essayLikes.userId, essayId: essayLikes.essayId });
}

export interface LikerRow {
  id: string;
  createdAt: Date;
  user: User;
}

/** Who likes an essay, newest first, of those who let others see it and whom the asker has not blocked. */
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
        .limit(MOST_COUNTED)
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

/** What somebody likes, newest first; essays that are gone from the shelf are left out. */
export function listLiked(db: Db, query: PageQuery & { userId: string }): Promise<Page<LikedRow>> {
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
