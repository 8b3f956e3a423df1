import { trendTypes } from '#contract/activity.ts';
import type { Ctx } from '../../ctx.ts';
import { newId } from '../../db/id.ts';
import { trends } from './tables.ts';

/** The activity types and what they act on; the numbers are stored and part of the API. */
export const trendType = { read: 0, download: 7, register: 8, follow: 9 } as const;
export const targetKind = { essay: 0, home: 1 } as const;

/** Those that others may see. */
export const publicTypes: readonly number[] = [...trendTypes.keys()].filter(
  (type) => trendTypes[type]?.[1] === 'everyone',
);

interface NewTrend {
  userId: string;
  type: (typeof trendType)[keyof typeof trendType];
  targetKind: keyof typeof targetKind;
  targetId: string;
}

/** Writes down what users did, in the transaction of the deeds. */
export async function recordTrends(ctx: Ctx, done: NewTrend[]): Promise<void> {
  if (done.length === 0) return;
  await ctx.db.insert(trends).values(
    done.map((trend) => ({
      id: newId(),
      ...trend,
      targetKind: targetKind[trend.targetKind],
      createdAt: ctx.now,
    })),
  );
}

/** Likewise of one. */
export const recordTrend = (ctx: Ctx, trend: NewTrend): Promise<void> => recordTrends(ctx, [trend]);
