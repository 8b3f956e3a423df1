import type { Permission } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { sql } from 'drizzle-orm';
import { type Ctx, inTx } from '../../../ctx.ts';
import { dayOf } from '../../../day.ts';
import { addJob } from '../../../jobs.ts';
import { holds, signedIn } from '../../../viewer.ts';
import * as days from './queries/days.ts';
import * as todo from './queries/todo.ts';
import * as tops from './queries/tops.ts';
import * as rules from './rules.ts';
import type { SiteDay } from './tables.ts';

/** So late a provider may still tell us of a payment. */
const LATE_DAYS = 31;
const KEEP_TOPS_MS = 2 * 86_400_000;
const SHOWN = 10;

/** Days that are not over yet, or were missed, from the rows themselves: the first time all of them. */
export async function countDays(ctx: Ctx): Promise<void> {
  await inTx(ctx, async (ctx) => {
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    await days.lockDays(ctx.db);
    // Several may have asked for it together.
    if (rules.isFresh(await days.findCountedAt(ctx.db), ctx.now)) return;
    const today = dayOf(ctx.now);
    const settled = rules.lastOver(ctx.now);
    const last = await days.findLastSettled(ctx.db);
    const from = last === null ? ((await days.findFirstDay(ctx.db)) ?? today) : rules.addDays(last, 1);
    await days.countDays(ctx.db, { from, to: today, settled, now: ctx.now });
    if (last !== null && last < settled) await days.countMoney(ctx.db, rules.addDays(today, -LATE_DAYS));
  });
}

/** After the rows of days that are over have changed: all of them are counted again. */
export function recountDays(ctx: Ctx): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await days.lockDays(ctx.db);
    await days.removeDays(ctx.db);
    await tops.removeTops(ctx.db);
  });
}

export async function rankTops(ctx: Ctx, range: rules.Range): Promise<void> {
  const known = await tops.findTops(ctx.db, range.key);
  if (rules.areTopsFresh(known?.computedAt, range, ctx.now)) return;
  await inTx(ctx, async (ctx) => {
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    await tops.computeTops(ctx.db, range, ctx.now);
    await tops.removeTopsBefore(ctx.db, new Date(ctx.now.getTime() - KEEP_TOPS_MS));
  });
}

export interface Tops {
  updatedAt: Date;
  essays: (tops.TopEssay & { reads: number })[];
  writers: (tops.TopWriter & { reads: number })[];
}

const inOrder = <T extends { id: string }>(ranked: { id: string; reads: number }[], found: T[]) => {
  const byId = new Map(found.map((each) => [each.id, each]));
  return ranked
    .flatMap(({ id, reads }) => {
      const each = byId.get(id);
      return each === undefined ? [] : [{ ...each, reads }];
    })
    .slice(0, SHOWN);
};

async function findTops(ctx: Ctx, range: rules.Range): Promise<Tops | null> {
  const row = await tops.findTops(ctx.db, range.key);
  if (row === null) return null;
  const [essays, writers] = await Promise.all([
    tops.listTopEssays(
      ctx.db,
      row.essays.map(({ id }) => id),
    ),
    tops.listTopWriters(
      ctx.db,
      row.writers.map(({ id }) => id),
    ),
  ]);
  return {
    updatedAt: row.computedAt,
    essays: inOrder(row.essays, essays),
    writers: inOrder(row.writers, writers),
  };
}

export interface SiteStats {
  range: rules.Range;
  days: SiteDay[];
  before: SiteDay[];
  updatedAt: Date | null;
  tops: Tops | null;
  refreshing: boolean;
  seesMoney: boolean;
}

/** What was counted before is shown at once; what is too old by now is counted meanwhile. */
export async function getSiteStats(
  ctx: Ctx,
  input: { days: number; from?: string | undefined; to?: string | undefined },
): Promise<SiteStats> {
  const range = rules.rangeOf(input, ctx.now);
  const begin = rules.addDays(range.from, -range.days);
  const [rows, updatedAt, found] = await Promise.all([
    days.listSiteDays(ctx.db, begin, range.to),
    days.findCountedAt(ctx.db),
    findTops(ctx, range),
  ]);
  const isCounted = rules.isFresh(updatedAt, ctx.now);
  const isRanked = rules.areTopsFresh(found?.updatedAt, range, ctx.now);
  if (!isCounted) await addJob(ctx, 'count-days', {}, { key: 'count-days', maxAttempts: 3 });
  if (!isRanked) await addJob(ctx, 'rank-tops', range, { key: `rank-tops ${range.key}`, maxAttempts: 3 });
  return {
    range,
    days: rows.filter(({ day }) => day >= range.from),
    before: rows.filter(({ day }) => day < range.from),
    updatedAt,
    tops: found,
    refreshing: !isCounted || !isRanked,
    seesMoney: holds(signedIn(ctx), 'finance:list'),
  };
}

/** What waits for somebody of the staff, as far as it is theirs to see. */
export async function getTodo(ctx: Ctx) {
  const viewer = signedIn(ctx);
  if (!viewer.isStaff) throw new CallError('FORBIDDEN');
  const count = (permission: Permission, of: (db: Ctx['db']) => Promise<number>): Promise<number | null> =>
    holds(viewer, permission) ? of(ctx.db) : Promise.resolve(null);
  const [essays, comments, reports, applications, withdrawals] = await Promise.all([
    count('essay:audit', todo.countSubmitted),
    count('comment:list', todo.countHeld),
    count('report:list', todo.countReports),
    count('apply:list', todo.countApplications),
    count('withdraw:list', todo.countWithdrawals),
  ]);
  return { essays, comments, reports, applications, withdrawals };
}
