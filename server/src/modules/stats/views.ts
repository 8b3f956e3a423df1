import type { EssayFigures } from '#contract/stats.ts';
import type { DayFigures, EssayStatRow, Figures } from './queries.ts';

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
