import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, TREND_TARGET } from '@mozhan/contract/enums.ts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { trends } from '../../accounts/activity/tables.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { essays } from '../essays/tables.ts';

export interface TrendRow {
  trend: typeof trends.$inferSelect;
  /** The user whose home is the target; null for other targets or if the user is gone. */
  home: User | null;
  /** The target essay; null if it is not on the shelf. */
  essay: { id: string; slug: string | null; title: string } | null;
}

/** Newest first; `types` null means all types. */
export function listTrends(
  db: Db,
  query: PageQuery & { userId: string; types: readonly number[] | null },
): Promise<Page<TrendRow>> {
  const match = and(
    eq(trends.userId, query.userId),
    query.types === null ? undefined : inArray(trends.type, [...query.types]),
  );
  return listPage(db, query, {
    select: db
      .select({
        trend: trends,
        home: users,
        essay: { id: essays.id, slug: essays.slug, title: essays.title },
      })
      .from(trends)
      .leftJoin(users, and(eq(trends.targetKind, TREND_TARGET.home), eq(users.id, trends.targetId)))
      .leftJoin(
        essays,
        and(
          eq(trends.targetKind, TREND_TARGET.essay),
          eq(essays.id, trends.targetId),
          eq(essays.status, ESSAY_STATUS.onShelf),
        ),
      ),
    match,
    id: trends.id,
    key: ({ trend }) => [trend.id],
  });
}
