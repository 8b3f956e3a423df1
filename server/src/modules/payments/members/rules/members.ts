import type { Viewer } from '../../../../ctx.ts';
import { hasPermission } from '../../../../viewer.ts';
import type { TermRow } from '../tables.ts';

const DAY_MS = 86_400_000;

export const canSeeDisabledPlans = (viewer: Viewer | null): boolean => hasPermission(viewer, 'plan:update');

export const canSeeTerms = (viewer: Viewer, userId: string): boolean =>
  viewer.id === userId || hasPermission(viewer, 'member:list');

const plusDays = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY_MS);

/** Adds days to the current end, or to now if the membership has ended. */
export const extendDate = (until: Date | null, days: number, now: Date): Date =>
  plusDays(until !== null && until > now ? until : now, days);

type RecordedTerm = Pick<TermRow, 'days' | 'until' | 'createdAt' | 'orderId' | 'source'>;

/** Calculates the end date without refunded orders; `terms` must be complete and in chronological order. */
export function recalculateUntil(
  terms: readonly RecordedTerm[],
  refunded: ReadonlySet<string | null>,
): Date | null {
  const [first] = terms;
  // The end date before the first recorded term.
  let until = first === undefined ? null : plusDays(first.until, -first.days);
  for (const { source, orderId, days, createdAt } of terms) {
    if (source !== 'refund' && !refunded.has(orderId)) until = extendDate(until, days, createdAt);
  }
  return until;
}
