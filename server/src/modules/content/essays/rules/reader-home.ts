/** In percent: who has read less has only opened the essay, who has read more has finished it. */
export const UNFINISHED_PROGRESS = [5, 94] as const;

const DAY_MS = 86_400_000;
const FIRST_DAYS = 7;
const MAX_DAYS = 30;

/** Since when an essay is new: the last visit, but not longer than a month ago; without a visit, a week. */
export function newSince(visitedAt: Date | null, now: Date): Date {
  const daysAgo = (days: number) => now.getTime() - days * DAY_MS;
  if (visitedAt === null) return new Date(daysAgo(FIRST_DAYS));
  return new Date(Math.max(visitedAt.getTime(), daysAgo(MAX_DAYS)));
}
