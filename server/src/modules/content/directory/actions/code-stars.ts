import type * as calls from '@mozhan/contract/code-stars.ts';
import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { nextPlace } from '../../../../db/place.ts';
import * as queries from '../queries/code-stars.ts';
import { type StarPickRow, starPicks } from '../tables.ts';

const DAY_MS = 86_400_000;
const MOST_PICKS = 20;
/** Days counted, today with them; none: all of them. */
const ranges: [StarRange, days: number | null][] = [
  ['week', 7],
  ['month', 30],
  ['all', null],
];

export function rankStars(ctx: Ctx): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.lockRanks(ctx.db);
    for (const [range, days] of ranges) {
      const since = days === null ? null : dayOf(new Date(ctx.now.getTime() - (days - 1) * DAY_MS));
      await queries.replaceRanks(ctx.db, range, since, ctx.now);
    }
    touch(ctx, 'stars');
  });
}

/** An installation that has never ranked anybody does not wait for the clock. */
export async function rankFirstStars(ctx: Ctx): Promise<void> {
  if (!(await queries.hasRankings(ctx.db))) await rankStars(ctx);
}

export async function getStars(ctx: Ctx, range: StarRange, limit: number) {
  shows(ctx, 'stars');
  const [ranks, picks] = await Promise.all([
    queries.listRanks(ctx.db, range, limit),
    queries.listPicks(ctx.db),
  ]);
  for (const { user } of [...ranks, ...picks]) shows(ctx, `user:${user.id}`);
  const computedAt = ranks[0]?.computedAt ?? (await queries.findComputedAt(ctx.db, range));
  return { ranks, picks, computedAt };
}

const toLog = (pick: StarPickRow | null) => (pick === null ? null : { note: pick.note, sort: pick.sort });

export function pickStar(ctx: Ctx, input: z.output<typeof calls.pickStar.input>): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { userId } = input;
    await queries.lockPicks(ctx.db);
    const before = await queries.findPick(ctx.db, userId);
    const after = input.picked === FLAG.on ? await makePick(ctx, before, input) : null;
    if (after !== null) await queries.upsertPick(ctx.db, after);
    else await queries.removePick(ctx.db, userId);
    touch(ctx, 'stars');
    changed(ctx, `star:${userId}`, toLog(before), toLog(after));
  });
}

async function makePick(
  ctx: Ctx,
  before: StarPickRow | null,
  { userId, note, sort }: z.output<typeof calls.pickStar.input>,
): Promise<StarPickRow> {
  const user = await queries.findUser(ctx.db, userId);
  if (user === null) throw invalid('userId', '没有找到这位用户');
  if (user.curIdentity !== IDENTITY.writer) throw invalid('userId', '只能推荐作者');
  if (before !== null) return { ...before, note: note ?? before.note, sort: sort ?? before.sort };
  if ((await queries.countPicks(ctx.db)) >= MOST_PICKS) throw new CallError('TOO_MANY_PICKS');
  return {
    userId,
    note: note ?? '',
    sort: sort ?? (await nextPlace(ctx.db, starPicks)),
    pickedAt: ctx.now,
  };
}
