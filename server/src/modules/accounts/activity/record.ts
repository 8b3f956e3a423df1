import { createHash } from 'node:crypto';
import { trendTypes } from '@mozhan/contract/activity.ts';
import { TREND_TARGET, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { type Ctx, inTx, touch, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { removeRowsOf } from '../../../db/remove-rows.ts';
import { trends } from './tables.ts';

/** Those that others may see. */
export const publicTypes: readonly number[] = [...trendTypes.keys()].filter(
  (type) => trendTypes[type]?.[1] === 'everyone',
);

interface Deed {
  userId: string;
  type: (typeof TREND_TYPE)[Exclude<keyof typeof TREND_TYPE, 'search'>];
  targetId: string;
}

interface NewTrend extends Deed {
  targetKind: keyof typeof TREND_TARGET;
}

/** Writes down what users did, in the transaction of the deeds. */
export async function recordTrends(ctx: Ctx, done: NewTrend[]): Promise<void> {
  if (done.length === 0) return;
  await ctx.db.execute(sql`
    insert into trends (id, user_id, type, target_kind, target_id, created_at)
    select done.*, ${ctx.now.toISOString()}::timestamptz from unnest(
      ${sql.param(done.map(() => newId()))}::uuid[],
      ${sql.param(done.map((each) => each.userId))}::uuid[],
      ${sql.param(done.map((each) => each.type))}::smallint[],
      ${sql.param(done.map((each) => TREND_TARGET[each.targetKind]))}::smallint[],
      ${sql.param(done.map((each) => each.targetId))}::uuid[]
    ) as done`);
}

/** Likewise of one. */
export const recordTrend = (ctx: Ctx, trend: NewTrend): Promise<void> => recordTrends(ctx, [trend]);

/** The same words, however they are written, are one thing to search for. */
const targetOfSearch = (keyword: string): string =>
  createHash('md5').update(keyword.normalize('NFKC').toLowerCase()).digest('hex');

/** What somebody searched for, once a day. */
export async function recordSearch(ctx: Ctx, userId: string, keyword: string): Promise<void> {
  await ctx.db
    .insert(trends)
    .values({
      id: newId(),
      userId,
      type: TREND_TYPE.search,
      targetKind: TREND_TARGET.essay,
      targetId: targetOfSearch(keyword),
      keyword,
      createdAt: ctx.now,
    })
    .onConflictDoNothing();
}

/** What was taken back is told no more. */
export async function forgetTrends(ctx: Ctx, undone: Deed[]): Promise<void> {
  if (undone.length === 0) return;
  await ctx.db.execute(sql`
    delete from trends using unnest(
      ${sql.param(undone.map((each) => each.userId))}::uuid[],
      ${sql.param(undone.map((each) => each.targetId))}::uuid[],
      ${sql.param(undone.map((each) => each.type))}::smallint[]
    ) as undone (user_id, target_id, type)
    where trends.user_id = undone.user_id and trends.target_id = undone.target_id and trends.type = undone.type`);
}

/** Before these people, or essays, are removed: nobody did anything to them. */
export async function releaseTrends(ctx: Ctx, targetIds: string[]): Promise<void> {
  const rows = await ctx.db
    .delete(trends)
    .where(inArray(trends.targetId, targetIds))
    .returning({ userId: trends.userId });
  touch(ctx, ...new Set(rows.map(({ userId }) => `trend:${userId}`)));
}

/** Whether this was told of since then. */
export async function hasTrendSince(
  ctx: Ctx,
  { userId, type, targetId }: Deed,
  since: Date,
): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: trends.id })
    .from(trends)
    .where(
      and(
        eq(trends.userId, userId),
        eq(trends.targetId, targetId),
        eq(trends.type, type),
        gt(trends.createdAt, since),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export const erase = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await removeRowsOf(ctx.db, id, [trends]);
    touch(ctx, `trend:${id}`);
  });
