import type { Page } from '@mozhan/contract/common.ts';
import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { blocks, notices, users } from '../../../accounts/users/tables.ts';
import { columnFollows, columns, type EssayRow } from '../tables.ts';
import type { ColumnCard } from './columns.ts';

/** Returns false when the follow existed. */
export async function insertColumnFollow(
  db: Db,
  follow: typeof columnFollows.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(columnFollows)
    .values(follow)
    .onConflictDoNothing()
    .returning({ userId: columnFollows.userId });
  return rows.length > 0;
}

/** Returns false when there was none. */
export async function removeColumnFollow(db: Db, userId: string, columnId: string): Promise<boolean> {
  const rows = await db
    .delete(columnFollows)
    .where(and(eq(columnFollows.userId, userId), eq(columnFollows.columnId, columnId)))
    .returning({ userId: columnFollows.userId });
  return rows.length > 0;
}

/** Removes all follows of these users; returns the columns, one entry per follow. */
export async function removeColumnFollowsOf(db: Db, userIds: string[]): Promise<string[]> {
  const rows = await db
    .delete(columnFollows)
    .where(inArray(columnFollows.userId, userIds))
    .returning({ columnId: columnFollows.columnId });
  return rows.map((row) => row.columnId);
}

/** Locks in id order to avoid a deadlock; `columnIds` contains a column once per removed follow. */
export async function subtractFollowers(db: Db, columnIds: string[]): Promise<void> {
  await db
    .select({ id: columns.id })
    .from(columns)
    .where(inArray(columns.id, columnIds))
    .orderBy(columns.id)
    .for('no key update');
  await db.execute(sql`
    update ${columns} set follower_count = follower_count - lost.count
    from (select id, count(*)::int as count from unnest(${sql.param(columnIds)}::uuid[]) as lost (id) group by id) as lost
    where columns.id = lost.id`);
}

export async function isFollowingColumn(db: Db, userId: string, columnId: string): Promise<boolean> {
  const rows = await db
    .select({ userId: columnFollows.userId })
    .from(columnFollows)
    .where(and(eq(columnFollows.userId, userId), eq(columnFollows.columnId, columnId)));
  return rows.length > 0;
}

export type FollowedColumn = ColumnCard & { follow: typeof columnFollows.$inferSelect };

/** Last followed first. */
export const listFollowedColumns = (
  db: Db,
  query: PageQuery & { userId: string },
): Promise<Page<FollowedColumn>> =>
  listPage(db, query, {
    select: db
      .select({ column: columns, author: users, follow: columnFollows })
      .from(columnFollows)
      .innerJoin(columns, eq(columns.id, columnFollows.columnId))
      .innerJoin(users, eq(users.id, columns.authorId)),
    match: eq(columnFollows.userId, query.userId),
    by: columnFollows.createdAt,
    id: columnFollows.columnId,
    key: ({ follow }) => [follow.createdAt, follow.columnId],
  });

/** Those who followed the column before `until`, in id order after `after`. */
export async function listFollowerIds(
  db: Db,
  { columnId, until, after, limit }: { columnId: string; until: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ userId: columnFollows.userId })
    .from(columnFollows)
    .where(
      and(
        eq(columnFollows.columnId, columnId),
        gt(columnFollows.userId, after),
        lte(columnFollows.createdAt, until),
      ),
    )
    .orderBy(asc(columnFollows.userId))
    .limit(limit);
  return rows.map((row) => row.userId);
}

/** Omits users who have a notice about the essay, and whom its author has blocked. */
export async function filterUnnotified(
  db: Db,
  { id, authorId }: Pick<EssayRow, 'id' | 'authorId'>,
  userIds: string[],
): Promise<string[]> {
  const result = await db.execute(sql`
    select users.id from ${users} where users.id = any(${sql.param(userIds)}::uuid[])
      and not exists (
        select 1 from ${blocks} where blocks.user_id = ${authorId} and blocks.blocked_id = users.id)
      and not exists (
        select 1 from ${notices} where notices.user_id = users.id and notices.kind = 'column'
          and notices.target_id = ${id})
    order by users.id`);
  return parseRows(idRow, result).map((row) => row.id);
}
