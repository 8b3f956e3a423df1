import { createHash } from 'node:crypto';
import { trendTypes } from '@mozhan/contract/activity.ts';
import { TREND_TARGET, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../ctx.ts';
import { deleteUserRows } from '../../../db/delete-user-rows.ts';
import { newId } from '../../../db/id.ts';
import { trends } from './tables.ts';

export const publicTrendTypes: readonly number[] = [...trendTypes.keys()].filter(
  (type) => trendTypes[type]?.[1] === 'everyone',
);

interface TrendKey {
  userId: string;
  type: (typeof TREND_TYPE)[Exclude<keyof typeof TREND_TYPE, 'search'>];
  targetId: string;
}

interface NewTrend extends TrendKey {
  targetKind: keyof typeof TREND_TARGET;
}

/** Call it in the transaction of the recorded actions. */
export async function recordTrends(ctx: Ctx, actions: NewTrend[]): Promise<void> {
  if (actions.length === 0) return;
  await ctx.db.execute(sql`
    insert into trends (id, user_id, type, target_kind, target_id, created_at)
    select actions.*, ${ctx.now.toISOString()}::timestamptz from unnest(
      ${sql.param(actions.map(() => newId()))}::uuid[],
      ${sql.param(actions.map((each) => each.userId))}::uuid[],
      ${sql.param(actions.map((each) => each.type))}::smallint[],
      ${sql.param(actions.map((each) => TREND_TARGET[each.targetKind]))}::smallint[],
      ${sql.param(actions.map((each) => each.targetId))}::uuid[]
    ) as actions`);
}

export const recordTrend = (ctx: Ctx, trend: NewTrend): Promise<void> => recordTrends(ctx, [trend]);

/** Spellings that differ only in case or width get the same target id. */
const toSearchTargetId = (keyword: string): string =>
  createHash('md5').update(keyword.normalize('NFKC').toLowerCase()).digest('hex');

/** Stored once a day per user and keyword, by a unique index. */
export async function recordSearch(ctx: Ctx, userId: string, keyword: string): Promise<void> {
  await ctx.db
    .insert(trends)
    .values({
      id: newId(),
      userId,
      type: TREND_TYPE.search,
      targetKind: TREND_TARGET.essay,
      targetId: toSearchTargetId(keyword),
      keyword,
      createdAt: ctx.now,
    })
    .onConflictDoNothing();
}

/** Call it in the transaction that undoes the actions. */
export async function removeTrends(ctx: Ctx, actions: TrendKey[]): Promise<void> {
  if (actions.length === 0) return;
  await ctx.db.execute(sql`
    delete from trends using unnest(
      ${sql.param(actions.map((each) => each.userId))}::uuid[],
      ${sql.param(actions.map((each) => each.targetId))}::uuid[],
      ${sql.param(actions.map((each) => each.type))}::smallint[]
    ) as actions (user_id, target_id, type)
    where trends.user_id = actions.user_id and trends.target_id = actions.target_id and trends.type = actions.type`);
}

/** Call before these users or essays are deleted: removes the trends about them. */
export async function purgeTrends(ctx: Ctx, targetIds: string[]): Promise<void> {
  const rows = await ctx.db
    .delete(trends)
    .where(inArray(trends.targetId, targetIds))
    .returning({ userId: trends.userId });
  invalidate(ctx, ...new Set(rows.map(({ userId }) => `trend:${userId}`)));
}

export async function hasTrendSince(
  ctx: Ctx,
  { userId, type, targetId }: TrendKey,
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

export const eraseTrends = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await deleteUserRows(ctx.db, id, [trends]);
    invalidate(ctx, `trend:${id}`);
  });
