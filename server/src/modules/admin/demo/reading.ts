import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { recordTrends } from '../../accounts/activity/index.ts';
import {
  addToEssayCounters,
  collectEssay,
  createFolder,
  upsertHistory,
  writeLikes,
} from '../../content/essays/index.ts';
import { shareEssay } from '../../content/shares/index.ts';
import type { DemoComment } from './comments.ts';
import { folders } from './community/content.ts';
import type { PlannedEssay } from './essays.ts';
import { createRandom, shuffle } from './random.ts';
import { createAction, type DemoAction, getDemoUser, getEssayId, HOUR_MS, hoursBefore } from './timeline.ts';

/** Reads are counted four times a day for the last days and once a day before. */
const INTERVAL_HOURS = 6;
const SHORT_INTERVALS = 8;
const DAY_HOURS = 24;
const MIN_READS = 600;
const MAX_READS = 2900;
const MONTH_DAYS = 30;

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/** The share of the first month's reads after a number of days; it grows fast at first. */
function shareOfReads(days: number): number {
  const rise = (days: number) => (Math.max(0, days) + 0.6) ** 0.1 - 0.6 ** 0.1;
  return rise(days) / rise(MONTH_DAYS);
}

interface Visit {
  account: string;
  slug: string;
  end: Date;
  liked: boolean;
}

interface ReadInterval {
  end: Date;
  reads: { slug: string; reads: number }[];
}

function listReadIntervals(now: Date, essays: PlannedEssay[], comments: DemoComment[]): ReadInterval[] {
  const random = createRandom(11);
  const commentsBySlug = Map.groupBy(comments, (one) => one.slug);
  const monthlyReads = new Map(
    essays.map(({ slug }) => {
      const interest = Math.min(1, (commentsBySlug.get(slug)?.length ?? 0) / 12);
      return [slug, MIN_READS + (MAX_READS - MIN_READS) * (0.6 * interest + 0.4 * random() ** 2)];
    }),
  );
  const first = Math.min(...essays.map(({ at }) => at.getTime()));
  const intervals: ReadInterval[] = [];
  for (let end = now, hours = INTERVAL_HOURS; end.getTime() > first; end = hoursBefore(end, hours)) {
    hours = intervals.length < SHORT_INTERVALS ? INTERVAL_HOURS : DAY_HOURS;
    const reads = essays
      .filter(({ at }) => at < end)
      .map(({ slug, at }) => {
        const age = (end.getTime() - at.getTime()) / (DAY_HOURS * HOUR_MS);
        const part = shareOfReads(age) - shareOfReads(age - hours / DAY_HOURS);
        return { slug, reads: Math.round((monthlyReads.get(slug) ?? 0) * part * (0.75 + 0.5 * random())) };
      });
    intervals.push({ end, reads });
  }
  return intervals;
}

const planReadInterval = ({ end, reads }: ReadInterval, visits: Visit[]): DemoAction => ({
  at: end,
  run: async (ctx, state) => {
    const userVisits = visits.map(({ account, slug }) => ({
      userId: getDemoUser(state, account).viewer.id,
      essayId: getEssayId(state, slug),
    }));
    const visitsBySlug = Map.groupBy(visits, ({ slug }) => slug);
    await addToEssayCounters(
      ctx,
      reads.map(({ slug, reads }) => ({
        essayId: getEssayId(state, slug),
        reads: reads + (visitsBySlug.get(slug)?.length ?? 0),
      })),
    );
    await upsertHistory(
      ctx.db,
      ctx.now,
      userVisits.map((visit) => ({ ...visit, progress: 100 })),
    );
    await recordTrends(
      ctx,
      userVisits.map((visit) => ({
        userId: visit.userId,
        type: TREND_TYPE.read,
        targetKind: 'essay',
        targetId: visit.essayId,
      })),
    );
    const liked = userVisits.filter((_, i) => visits[i]?.liked);
    if (liked.length > 0)
      await writeLikes(
        ctx,
        liked.map((visit) => ({ ...visit, liked: true })),
      );
  },
});

const collect = (at: Date, account: string, slug: string): DemoAction =>
  createAction(at, account, (ctx, viewer, state) =>
    collectEssay(ctx, viewer, { essayId: getEssayId(state, slug) }),
  );

const share = (at: Date, account: string, slug: string): DemoAction =>
  createAction(at, account, (ctx, viewer, state) =>
    shareEssay(ctx, viewer, { essayId: getEssayId(state, slug), channel: 'link' }),
  );

/** Users collect essays into their own folders some days after the publication. */
function planFolders(now: Date, essays: PlannedEssay[]): DemoAction[] {
  const times = new Map(essays.map(({ slug, at }) => [slug, at]));
  return folders.flatMap(({ by, name, isPublic, slugs }, i) => {
    const collected = slugs.map((slug, k) => {
      const at = times.get(slug) ?? now;
      return { slug, at: after(at, (now.getTime() - at.getTime()) * (0.3 + 0.08 * ((i + k) % 5))) };
    });
    const first = Math.min(...collected.map(({ at }) => at.getTime()));
    let folderId = '';
    return [
      createAction(new Date(first - HOUR_MS / 60), by, async (ctx, viewer) => {
        folderId = (await createFolder(ctx, viewer, { name, isPublic })).folder.id;
      }),
      ...collected.map(({ slug, at }) =>
        createAction(at, by, (ctx, viewer, state) =>
          collectEssay(ctx, viewer, { essayId: getEssayId(state, slug), folderId }),
        ),
      ),
    ];
  });
}

export function planReading(
  now: Date,
  essays: PlannedEssay[],
  comments: DemoComment[],
  accounts: string[],
): DemoAction[] {
  const random = createRandom(23);
  const intervals = listReadIntervals(now, essays, comments);
  const actions: DemoAction[] = [];
  const visits: Visit[] = [];
  for (const { slug, at, author } of essays) {
    const intervalsAfter = intervals.filter(({ end }) => end > at);
    const reads = intervalsAfter.reduce(
      (sum, each) => sum + (each.reads.find((one) => one.slug === slug)?.reads ?? 0),
      0,
    );
    const commenters = new Set(comments.filter((one) => one.slug === slug).map((one) => one.by));
    const collectors = new Set(folders.filter(({ slugs }) => slugs.includes(slug)).map(({ by }) => by));
    const readers = shuffle(
      accounts.filter((account) => account !== author),
      random,
    ).filter((account) => commenters.has(account) || collectors.has(account) || random() < 0.8);
    const likers = Math.min(Math.round(reads * (0.03 + 0.05 * random())), Math.round(7 + 10 * random()));
    for (const [i, account] of readers.entries()) {
      // The last interval is not over yet, so demo users did nothing in it.
      const earlier = intervalsAfter.length > 1 ? intervalsAfter.slice(1) : intervalsAfter;
      const { end } = earlier[Math.floor(earlier.length * (1 - random() ** 2) * 0.999)] ?? { end: now };
      visits.push({ account, slug, end, liked: i < likers });
      const timeAfterVisit = () =>
        after(end, Math.min(now.getTime() - end.getTime(), 9 * HOUR_MS) * (0.02 + 0.95 * random()));
      if (!collectors.has(account) && random() < 0.07) actions.push(collect(timeAfterVisit(), account, slug));
      if (random() < 0.04) actions.push(share(timeAfterVisit(), account, slug));
    }
  }
  const visitsByEnd = Map.groupBy(visits, ({ end }) => end.getTime());
  return [
    ...intervals.map((interval) => planReadInterval(interval, visitsByEnd.get(interval.end.getTime()) ?? [])),
    ...planFolders(now, essays),
    ...actions,
  ];
}
