import type * as calls from '@mozhan/contract/code-stars.ts';
import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { nextSortValue } from '../../../../db/sort-position.ts';
import * as queries from '../queries/code-stars.ts';
import { type StarPickRow, starPicks } from '../tables.ts';

const DAY_MS = 86_400_000;
const MAX_PICKS = 20;
/** Number of days including today; null means all time. */
const ranges: [StarRange, days: number | null][] = [
  ['week', 7],
  ['month', 30],
  ['all', null],
];

export function rankStars(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockRanks(ctx.db);
    for (const [range, days] of ranges) {
      const since = days === null ? null : chinaDayOf(new Date(ctx.now.getTime() - (days - 1) * DAY_MS));
      await queries.replaceRanks(ctx.db, range, since, ctx.now);
    }
    invalidate(ctx, 'stars');
  });
}

/** Computes the ranking on the first start instead of waiting for the schedule. */
export async function rankStarsIfNeverRanked(ctx: Ctx): Promise<void> {
  if (!(await queries.hasRankings(ctx.db))) await rankStars(ctx);
}

export async function getStarRanking(ctx: Ctx, range: StarRange, limit: number) {
  addPageTags(ctx, 'stars');
  const [ranks, picks] = await Promise.all([
    queries.listRanks(ctx.db, range, limit),
    queries.listPicks(ctx.db),
  ]);
  for (const { user } of [...ranks, ...picks]) addPageTags(ctx, `user:${user.id}`);
  const computedAt = ranks[0]?.computedAt ?? (await queries.findComputedAt(ctx.db, range));
  return { ranks, picks, computedAt };
}

const toLog = (pick: StarPickRow | null) => (pick === null ? null : { note: pick.note, sort: pick.sort });

export function pickStar(ctx: Ctx, input: z.output<typeof calls.pickStar.input>): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { userId } = input;
    await queries.lockPicks(ctx.db);
    const before = await queries.findPick(ctx.db, userId);
    const after = input.picked === FLAG.on ? await buildPick(ctx, before, input) : null;
    if (after !== null) await queries.upsertPick(ctx.db, after);
    else await queries.removePick(ctx.db, userId);
    invalidate(ctx, 'stars');
    logChange(ctx, `star:${userId}`, toLog(before), toLog(after));
  });
}

async function buildPick(
  ctx: Ctx,
  before: StarPickRow | null,
  { userId, note, sort }: z.output<typeof calls.pickStar.input>,
): Promise<StarPickRow> {
  const user = await queries.findUser(ctx.db, userId);
  if (user === null) throw invalidField('userId', '没有找到这位用户');
  if (user.curIdentity !== IDENTITY.writer) throw invalidField('userId', '只能推荐作者');
  if (before !== null) return { ...before, note: note ?? before.note, sort: sort ?? before.sort };
  if ((await queries.countPicks(ctx.db)) >= MAX_PICKS) throw new CallError('TOO_MANY_PICKS');
  return {
    userId,
    note: note ?? '',
    sort: sort ?? (await nextSortValue(ctx.db, starPicks)),
    pickedAt: ctx.now,
  };
}
