import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { recordTrends } from '../../accounts/activity/index.ts';
import {
  addToEssays,
  collectEssay,
  createFolder,
  upsertHistory,
  writeLikes,
} from '../../content/essays/index.ts';
import { shareEssay } from '../../content/shares/index.ts';
import { folders } from './community/affairs.ts';
import { createDice, shuffle } from './dice.ts';
import type { PlannedEssay } from './essays.ts';
import { type Deed, deedOf, getEssayId, getPerson, HOUR_MS, hoursBefore } from './history.ts';
import type { Said } from './talk.ts';

/** Reads of the last days are written down four times a day, those before once. */
const WATCH_HOURS = 6;
const CLOSE_WATCHES = 8;
const DAY_HOURS = 24;
/** What an essay is read within a month, at the least and at the most. */
const FEWEST = 600;
const MOST = 2900;
const MONTH_DAYS = 30;

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/** The part of a month's reads that an essay has so many days after it came out: much at first, then less and less. */
function partOf(days: number): number {
  const rise = (days: number) => (Math.max(0, days) + 0.6) ** 0.1 - 0.6 ** 0.1;
  return rise(days) / rise(MONTH_DAYS);
}

interface Visit {
  account: string;
  slug: string;
  /** The watch in which it was. */
  end: Date;
  liked: boolean;
}

interface Watch {
  end: Date;
  reads: { slug: string; reads: number }[];
}

function listWatches(now: Date, essays: PlannedEssay[], talk: Said[]): Watch[] {
  const roll = createDice(11);
  const talked = Map.groupBy(talk, (one) => one.slug);
  const appeals = new Map(
    essays.map(({ slug }) => {
      const interest = Math.min(1, (talked.get(slug)?.length ?? 0) / 12);
      return [slug, FEWEST + (MOST - FEWEST) * (0.6 * interest + 0.4 * roll() ** 2)];
    }),
  );
  const first = Math.min(...essays.map(({ at }) => at.getTime()));
  const watches: Watch[] = [];
  for (let end = now, hours = WATCH_HOURS; end.getTime() > first; end = hoursBefore(end, hours)) {
    hours = watches.length < CLOSE_WATCHES ? WATCH_HOURS : DAY_HOURS;
    const reads = essays
      .filter(({ at }) => at < end)
      .map(({ slug, at }) => {
        const age = (end.getTime() - at.getTime()) / (DAY_HOURS * HOUR_MS);
        const part = partOf(age) - partOf(age - hours / DAY_HOURS);
        return { slug, reads: Math.round((appeals.get(slug) ?? 0) * part * (0.75 + 0.5 * roll())) };
      });
    watches.push({ end, reads });
  }
  return watches;
}

const writeWatch = ({ end, reads }: Watch, visits: Visit[]): Deed => ({
  at: end,
  run: async (ctx, world) => {
    const named = visits.map(({ account, slug }) => ({
      userId: getPerson(world, account).viewer.id,
      essayId: getEssayId(world, slug),
    }));
    const byName = Map.groupBy(visits, ({ slug }) => slug);
    await addToEssays(
      ctx,
      reads.map(({ slug, reads }) => ({
        essayId: getEssayId(world, slug),
        reads: reads + (byName.get(slug)?.length ?? 0),
      })),
    );
    await upsertHistory(
      ctx.db,
      ctx.now,
      named.map((visit) => ({ ...visit, progress: 100 })),
    );
    await recordTrends(
      ctx,
      named.map((visit) => ({
        userId: visit.userId,
        type: TREND_TYPE.read,
        targetKind: 'essay',
        targetId: visit.essayId,
      })),
    );
    const liked = named.filter((_, i) => visits[i]?.liked);
    if (liked.length > 0)
      await writeLikes(
        ctx,
        liked.map((visit) => ({ ...visit, liked: true })),
      );
  },
});

const collect = (at: Date, account: string, slug: string): Deed =>
  deedOf(at, account, (ctx, viewer, world) =>
    collectEssay(ctx, viewer, { essayId: getEssayId(world, slug) }),
  );

const share = (at: Date, account: string, slug: string): Deed =>
  deedOf(at, account, (ctx, viewer, world) =>
    shareEssay(ctx, viewer, { essayId: getEssayId(world, slug), channel: 'link' }),
  );

/** Into folders of their own, some days after the essays came out. */
function planFolders(now: Date, essays: PlannedEssay[]): Deed[] {
  const times = new Map(essays.map(({ slug, at }) => [slug, at]));
  return folders.flatMap(({ by, name, isPublic, slugs }, i) => {
    const collected = slugs.map((slug, k) => {
      const at = times.get(slug) ?? now;
      return { slug, at: after(at, (now.getTime() - at.getTime()) * (0.3 + 0.08 * ((i + k) % 5))) };
    });
    const first = Math.min(...collected.map(({ at }) => at.getTime()));
    let folderId = '';
    return [
      deedOf(new Date(first - HOUR_MS / 60), by, async (ctx, viewer) => {
        folderId = (await createFolder(ctx, viewer, { name, isPublic })).folder.id;
      }),
      ...collected.map(({ slug, at }) =>
        deedOf(at, by, (ctx, viewer, world) =>
          collectEssay(ctx, viewer, { essayId: getEssayId(world, slug), folderId }),
        ),
      ),
    ];
  });
}

/** What readers did with the essays: read them, and of those who are known, liked, kept and shared some. */
export function planReading(now: Date, essays: PlannedEssay[], talk: Said[], accounts: string[]): Deed[] {
  const roll = createDice(23);
  const watches = listWatches(now, essays, talk);
  const deeds: Deed[] = [];
  const visits: Visit[] = [];
  for (const { slug, at, author } of essays) {
    const own = watches.filter(({ end }) => end > at);
    const reads = own.reduce(
      (sum, each) => sum + (each.reads.find((one) => one.slug === slug)?.reads ?? 0),
      0,
    );
    const talkers = new Set(talk.filter((one) => one.slug === slug).map((one) => one.by));
    const kept = new Set(folders.filter(({ slugs }) => slugs.includes(slug)).map(({ by }) => by));
    const readers = shuffle(
      accounts.filter((account) => account !== author),
      roll,
    ).filter((account) => talkers.has(account) || kept.has(account) || roll() < 0.8);
    const likers = Math.min(Math.round(reads * (0.03 + 0.05 * roll())), Math.round(7 + 10 * roll()));
    for (const [i, account] of readers.entries()) {
      // The last watch is the present: who is there has done nothing yet.
      const earlier = own.length > 1 ? own.slice(1) : own;
      const { end } = earlier[Math.floor(earlier.length * (1 - roll() ** 2) * 0.999)] ?? { end: now };
      visits.push({ account, slug, end, liked: i < likers });
      const soon = () =>
        after(end, Math.min(now.getTime() - end.getTime(), 9 * HOUR_MS) * (0.02 + 0.95 * roll()));
      if (!kept.has(account) && roll() < 0.07) deeds.push(collect(soon(), account, slug));
      if (roll() < 0.04) deeds.push(share(soon(), account, slug));
    }
  }
  const byWatch = Map.groupBy(visits, ({ end }) => end.getTime());
  return [
    ...watches.map((watch) => writeWatch(watch, byWatch.get(watch.end.getTime()) ?? [])),
    ...planFolders(now, essays),
    ...deeds,
  ];
}
