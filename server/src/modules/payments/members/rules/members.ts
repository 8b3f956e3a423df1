import type { Viewer } from '../../../../ctx.ts';
import { holds } from '../../../../viewer.ts';
import type { TermRow } from '../tables.ts';

const DAY_MS = 86_400_000;

/** Whoever edits plans sees the disabled ones too. */
export const canSeeDisabled = (viewer: Viewer | null): boolean => holds(viewer, 'plan:update');

export const canSeeTerms = (viewer: Viewer, userId: string): boolean =>
  viewer.id === userId || holds(viewer, 'member:list');

const plusDays = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY_MS);

/** Added to what is left, or from now on. */
export const extended = (until: Date | null, days: number, now: Date): Date =>
  plusDays(until !== null && until > now ? until : now, days);

type Given = Pick<TermRow, 'days' | 'until' | 'createdAt' | 'orderId' | 'source'>;

/** When it ends without the days of the orders that were paid back; `terms` are all there are, in order. */
export function untilOf(terms: readonly Given[], refunded: ReadonlySet<string | null>): Date | null {
  const [first] = terms;
  // Whatever there was before anything was written down.
  let until = first === undefined ? null : plusDays(first.until, -first.days);
  for (const { source, orderId, days, createdAt } of terms) {
    if (source !== 'refund' && !refunded.has(orderId)) until = extended(until, days, createdAt);
  }
  return until;
}
