import type { Permission } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { sql } from 'drizzle-orm';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { chinaDayOf } from '../../../day.ts';
import { addJob } from '../../../jobs.ts';
import { hasPermission, requireSignedIn } from '../../../viewer.ts';
import * as days from './queries/days.ts';
import * as pending from './queries/pending.ts';
import * as tops from './queries/tops.ts';
import * as rules from './rules.ts';
import type { SiteDay } from './tables.ts';

/** Providers may report a payment this late. */
const LATE_PAYMENT_DAYS = 31;
const TOPS_TTL_MS = 2 * 86_400_000;
const MAX_DISPLAYED = 10;

/** Counts incomplete and missed days from the rows; the first run counts all days. */
export async function countDays(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    await days.lockDays(ctx.db);
    // Several processes may run this job at the same time.
    if (rules.isFresh(await days.findCountedAt(ctx.db), ctx.now)) return;
    const today = chinaDayOf(ctx.now);
    const settled = rules.lastCompleteDay(ctx.now);
    const lastComplete = await days.findLastCompleteDay(ctx.db);
    const from =
      lastComplete === null ? ((await days.findFirstDay(ctx.db)) ?? today) : rules.addDays(lastComplete, 1);
    await days.countDays(ctx.db, { from, to: today, settled, now: ctx.now });
    if (lastComplete !== null && lastComplete < settled)
      await days.countMoney(ctx.db, rules.addDays(today, -LATE_PAYMENT_DAYS));
  });
}

/** To be called after rows of past days were changed; the next count recounts all days. */
export function recountDays(ctx: Ctx): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await days.lockDays(ctx.db);
    await days.removeDays(ctx.db);
    await tops.removeTops(ctx.db);
  });
}

export async function rankTops(ctx: Ctx, range: rules.DayRange): Promise<void> {
  const existing = await tops.findTops(ctx.db, range.key);
  if (rules.areTopsFresh(existing?.computedAt, range, ctx.now)) return;
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`set local statement_timeout = 0`);
    await tops.computeTops(ctx.db, range, ctx.now);
    await tops.removeTopsBefore(ctx.db, new Date(ctx.now.getTime() - TOPS_TTL_MS));
  });
}

export interface TopRankings {
  updatedAt: Date;
  essays: (tops.TopEssay & { reads: number })[];
  writers: (tops.TopWriter & { reads: number })[];
}

const withReads = <T extends { id: string }>(ranked: { id: string; reads: number }[], found: T[]) => {
  const byId = new Map(found.map((each) => [each.id, each]));
  return ranked
    .flatMap(({ id, reads }) => {
      const each = byId.get(id);
      return each === undefined ? [] : [{ ...each, reads }];
    })
    .slice(0, MAX_DISPLAYED);
};

async function findTops(ctx: Ctx, range: rules.DayRange): Promise<TopRankings | null> {
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
    essays: withReads(row.essays, essays),
    writers: withReads(row.writers, writers),
  };
}

export interface SiteStats {
  range: rules.DayRange;
  days: SiteDay[];
  before: SiteDay[];
  updatedAt: Date | null;
  tops: TopRankings | null;
  refreshing: boolean;
  canSeeMoney: boolean;
}

/** Returns the stored figures immediately and starts jobs for those that are too old. */
export async function getSiteStats(
  ctx: Ctx,
  input: { days: number; from?: string | undefined; to?: string | undefined },
): Promise<SiteStats> {
  const range = rules.parseRange(input, ctx.now);
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
    canSeeMoney: hasPermission(requireSignedIn(ctx), 'finance:list'),
  };
}

/** Counts are null without the permission of their screen. */
export async function getPendingCounts(ctx: Ctx) {
  const viewer = requireSignedIn(ctx);
  if (!viewer.isStaff) throw new CallError('FORBIDDEN');
  const count = (
    permission: Permission,
    query: (db: Ctx['db']) => Promise<number>,
  ): Promise<number | null> => (hasPermission(viewer, permission) ? query(ctx.db) : Promise.resolve(null));
  const [essays, comments, reports, applications, withdrawals] = await Promise.all([
    count('essay:audit', pending.countSubmitted),
    count('comment:list', pending.countHeld),
    count('report:list', pending.countReports),
    count('apply:list', pending.countApplications),
    count('withdraw:list', pending.countWithdrawals),
  ]);
  return { essays, comments, reports, applications, withdrawals };
}
