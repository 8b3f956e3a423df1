import type { Output } from '@mozhan/contract/client.ts';
import type { EssayFigures, SiteFigures } from '@mozhan/contract/stats.ts';
import type { SiteStats, Tops } from './actions.ts';
import type { DayFigures, EssayStatRow, Figures } from './queries/writer.ts';
import { addDays } from './rules.ts';
import type { SiteDay } from './tables.ts';

export function toFigures({ reads, likes, comments, collects, shares, income }: Figures): Figures {
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

const none: Counts = {
  reads: 0,
  registrations: 0,
  publications: 0,
  comments: 0,
  messages: 0,
  turnover: 0,
  refunded: 0,
};

/** Money is for those who may see it. */
const toSiteFigures = (row: Counts, seesMoney: boolean): SiteFigures => ({
  reads: row.reads,
  registrations: row.registrations,
  publications: row.publications,
  comments: row.comments,
  messages: row.messages,
  turnover: seesMoney ? row.turnover : null,
  refunded: seesMoney ? row.refunded : null,
});

const sumOf = (rows: SiteDay[]): Counts =>
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
    none,
  );

const toTops = ({ updatedAt, essays, writers }: Tops) => ({
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
  const { range, updatedAt, tops, refreshing, seesMoney } = stats;
  const byDay = new Map(stats.days.map((row) => [row.day, row]));
  return {
    from: range.from,
    to: range.to,
    days: Array.from({ length: range.days }, (_, index) => {
      const day = addDays(range.from, index);
      return { day, ...toSiteFigures(byDay.get(day) ?? none, seesMoney) };
    }),
    total: toSiteFigures(sumOf(stats.days), seesMoney),
    before: toSiteFigures(sumOf(stats.before), seesMoney),
    updatedAt: updatedAt?.toISOString() ?? null,
    tops: tops === null ? null : toTops(tops),
    refreshing,
  };
}
