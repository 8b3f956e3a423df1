import { trendTypes } from '#contract/activity.ts';
import type { Ctx } from '../../ctx.ts';
import { newId } from '../../db/id.ts';
import { trends } from './tables.ts';

/** The activity types and what they act on; the numbers are stored and part of the API. */
export const trendType = { register: 8 } as const;
export const targetKind = { essay: 0, home: 1 } as const;

/** Those that others may see. */
export const publicTypes: readonly number[] = [...trendTypes.keys()].filter(
  (type) => trendTypes[type]?.[1] === 'everyone',
);

/** Writes down what a user did, in the transaction of the deed. */
export async function recordTrend(
  ctx: Ctx,
  trend: {
    userId: string;
    type: (typeof trendType)[keyof typeof trendType];
    targetKind: keyof typeof targetKind;
    targetId: string;
  },
): Promise<void> {
  await ctx.db
    .insert(trends)
    .values({ id: newId(), ...trend, targetKind: targetKind[trend.targetKind], createdAt: ctx.now });
}
