import type { SiteSettings } from '@mozhan/contract/site.ts';
import { chinaDayOf } from '../../../../day.ts';
import type { EssayRow } from '../tables.ts';

/** How the hot list is ordered; set by operators. */
export type HotSettings = Pick<SiteSettings, 'hotDays' | 'hotFloor'>;

type Counts = Pick<
  EssayRow,
  'readCount' | 'likeCount' | 'cmtCount' | 'collectCount' | 'shareCount' | 'rewardCount'
>;

/** How many reads an interaction weighs as much as. */
export const WEIGHTS = { read: 1, like: 10, cmt: 20, collect: 20, share: 20, reward: 50 } as const;

/** All interactions of readers, converted to reads. */
export const engagementOf = (counts: Counts): number =>
  WEIGHTS.read * counts.readCount +
  WEIGHTS.like * counts.likeCount +
  WEIGHTS.cmt * counts.cmtCount +
  WEIGHTS.collect * counts.collectCount +
  WEIGHTS.share * counts.shareCount +
  WEIGHTS.reward * counts.rewardCount;

/** Today and the days before it, in the site's time zone, whose engagement is recent. */
const RECENT_DAYS = 3;
/** Recent engagement counts once as a part of all engagement, and this many times more. */
export const RECENT_BONUS = 4;
/** Larger than any difference between two scores, so that essays below the floor come after all others. */
export const BELOW_FLOOR = 1_000_000;
const DAY_SECONDS = 86_400;

/** Today first. */
export const recentDays = (now: Date): string[] =>
  Array.from({ length: RECENT_DAYS }, (_, ago) =>
    chinaDayOf(new Date(now.getTime() - ago * DAY_SECONDS * 1000)),
  );

/**
 * Ten times the attention equals being `hotDays` newer. The time of publication enters instead of the age, so that the
 * order of two essays changes only with their readers. Decision 0057. `queries/hot.ts` has the same formula in SQL.
 */
export function hotScore(
  essay: Counts & Pick<EssayRow, 'recentEngagement'>,
  publishedAt: Date,
  { hotDays, hotFloor }: HotSettings,
): number {
  const engagement = engagementOf(essay);
  const attention = engagement + RECENT_BONUS * Math.max(0, essay.recentEngagement);
  const score = Math.log10(1 + attention) + publishedAt.getTime() / 1000 / (DAY_SECONDS * hotDays);
  return engagement < hotFloor ? score - BELOW_FLOOR : score;
}
