import type { Output } from '@mozhan/contract/client.ts';
import type { EssayFigures, SiteFigures } from '@mozhan/contract/stats.ts';
import type { SiteStats, TopRankings } from './actions.ts';
import type { DayFigures, EssayStatRow, WriterFigures } from './queries/writer.ts';
import { addDays } from './rules.ts';
import type { SiteDay } from './tables.ts';

export function toFigures({
  reads,
  likes,
  comments,
  collects,
  shares,
  income,
}: WriterFigures): WriterFigures {
  return { reads, likes, comments, collects, shares, income };
}

export function toDay(row: DayFigures): DayFigures {
  return { day: row.day, ...toFigures(row), followers: row.followers };
}

export function toEssayFigures(row: EssayStatRow): EssayFigures {
  return {
    id: row.id,
    title: row.title,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    ...toFigures(row),
  };
}

type Counts = { [K in keyof SiteFigures]: number };

const zeroCounts: Counts = {
  reads: 0,
  registrations: 0,
  publications: 0,
  comments: 0,
  messages: 0,
  turnover: 0,
  refunded: 0,
};

/** Money is null without the permission to see it. */
const toSiteFigures = (row: Counts, canSeeMoney: boolean): SiteFigures => ({
  reads: row.reads,
  registrations: row.registrations,
  publications: row.publications,
  comments: row.comments,
  messages: row.messages,
  turnover: canSeeMoney ? row.turnover : null,
  refunded: canSeeMoney ? row.refunded : null,
});

const sumDays = (rows: SiteDay[]): Counts =>
  rows.reduce(
    (sum, row) => ({
      reads: sum.reads + row.reads,
      registrations: sum.registrations + row.registrations,
      publications: sum.publications + row.publications,
      comments: sum.comments + row.comments,
      messages: sum.messages + row.messages,
      turnover: sum.turnover + row.turnover,
      refunded: sum.refunded + row.refunded,
    }),
    zeroCounts,
  );

const toTops = ({ updatedAt, essays, writers }: TopRankings) => ({
  updatedAt: updatedAt.toISOString(),
  essays: essays.map(({ id, title, authorId, author, reads }) => ({
    id,
    title,
    author: { id: authorId, displayName: author },
    reads,
  })),
  writers: writers.map(({ id, displayName, headImg, reads }) => ({ id, displayName, headImg, reads })),
});

export function toSiteStats(stats: SiteStats): Output<'GET core/sys/stat/'> {
  const { range, updatedAt, tops, refreshing, canSeeMoney } = stats;
  const byDay = new Map(stats.days.map((row) => [row.day, row]));
  return {
    from: range.from,
    to: range.to,
    days: Array.from({ length: range.days }, (_, index) => {
      const day = addDays(range.from, index);
      return { day, ...toSiteFigures(byDay.get(day) ?? zeroCounts, canSeeMoney) };
    }),
    total: toSiteFigures(sumDays(stats.days), canSeeMoney),
    before: toSiteFigures(sumDays(stats.before), canSeeMoney),
    updatedAt: updatedAt?.toISOString() ?? null,
    tops: tops === null ? null : toTops(tops),
    refreshing,
  };
}
