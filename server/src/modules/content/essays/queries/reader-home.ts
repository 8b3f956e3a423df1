import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { MAX_NEW_ESSAYS } from '@mozhan/contract/reader-home.ts';
import { and, between, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { countRow, parseRow } from '../../../../db/rows.ts';
import { follows, users } from '../../../accounts/users/tables.ts';
import { categories } from '../../categories/tables.ts';
import { essayHistory, essays, followingVisits } from '../tables.ts';
import { cardColumns, type HistoryRow } from './lists.ts';

/** What somebody opened before that many other essays is forgotten. */
const MAX_HISTORY = 30;

/** Essays whose progress is between the bounds, last read first; reads only the newest rows of the history. */
export function listUnfinished(
  db: Db,
  query: { userId: string; progress: readonly [min: number, max: number]; limit: number },
): Promise<HistoryRow[]> {
  const history = db
    .select()
    .from(essayHistory)
    .where(eq(essayHistory.userId, query.userId))
    .orderBy(desc(essayHistory.readAt), desc(essayHistory.essayId))
    .limit(MAX_HISTORY)
    .as('history');
  return db
    .select({
      ...cardColumns,
      history: {
        userId: history.userId,
        essayId: history.essayId,
        progress: history.progress,
        readAt: history.readAt,
      },
    })
    .from(history)
    .innerJoin(essays, eq(essays.id, history.essayId))
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .where(and(between(history.progress, ...query.progress), eq(essays.status, ESSAY_STATUS.onShelf)))
    .orderBy(desc(history.readAt), desc(history.essayId))
    .limit(query.limit);
}

export async function findFollowingVisit(db: Db, userId: string): Promise<Date | null> {
  const [row] = await db.select().from(followingVisits).where(eq(followingVisits.userId, userId));
  return row?.visitedAt ?? null;
}

export async function upsertFollowingVisit(db: Db, userId: string, visitedAt: Date): Promise<void> {
  await db
    .insert(followingVisits)
    .values({ userId, visitedAt })
    .onConflictDoUpdate({
      target: followingVisits.userId,
      set: { visitedAt: sql`greatest(${followingVisits.visitedAt}, excluded.visited_at)` },
    });
}

/** Unread essays that followed authors published after a time; stops counting at the maximum. */
export async function countNewEssays(db: Db, userId: string, since: Date): Promise<number> {
  const max = literal(MAX_NEW_ESSAYS);
  const result = await db.execute(sql`
    select count(*)::int as count from (
      select 1 from ${follows} cross join lateral (
        select 1 from essays
        where author_id = follows.user_id and status = ${literal(ESSAY_STATUS.onShelf)}
          and published_at > ${since.toISOString()}::timestamptz
          and not exists (select 1 from essay_history where user_id = ${userId} and essay_id = essays.id)
        limit ${max}) as published
      where follows.follower_id = ${userId} limit ${max}) as new_essays`);
  return parseRow(countRow, result).count;
}
