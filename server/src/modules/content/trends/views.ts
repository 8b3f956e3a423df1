import { type Trend, trendTypes } from '@mozhan/contract/activity.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { TrendRow } from './queries.ts';

/** Null if the target is gone or not public. */
function targetOf({ home, essay }: TrendRow, now: Date): Trend['target'] {
  if (home !== null) return { id: home.id, title: home.displayName, user: toUserCard(home, now) };
  return essay;
}

export const toTrend = (row: TrendRow, now: Date): Trend => ({
  id: row.trend.id,
  type: row.trend.type,
  verb: trendTypes[row.trend.type]?.[0] ?? '',
  targetKind: row.trend.targetKind,
  target: targetOf(row, now),
  ...(row.trend.keyword === null ? {} : { keyword: row.trend.keyword }),
  createdAt: row.trend.createdAt.toISOString(),
});
