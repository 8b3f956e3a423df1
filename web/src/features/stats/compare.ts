import { formatYuan } from '@mozhan/contract/money.ts';
import { formatCount } from '#web/lib/format.ts';

interface DayFigures {
  reads: number;
  likes: number;
  collects: number;
  followers: number;
  income: number;
}

/** The tiles of the overview, in the order of display. */
export const tiles = [
  { key: 'reads', label: '阅读', of: (day: DayFigures) => day.reads, format: formatCount, unit: 1 },
  {
    key: 'likes',
    label: '赞与收藏',
    of: (day: DayFigures) => day.likes + day.collects,
    format: formatCount,
    unit: 1,
  },
  { key: 'followers', label: '新粉丝', of: (day: DayFigures) => day.followers, format: formatCount, unit: 1 },
  { key: 'income', label: '收益', of: (day: DayFigures) => day.income, format: formatYuan, unit: 100 },
] as const;

export interface Comparison {
  text: string;
  trend: 'up' | 'down' | 'same';
}

/** Compares a sum with that of the period before; a share of zero would mean nothing. */
export function compare(now: number, before: number): Comparison {
  if (now === before) return { text: '与上期持平', trend: 'same' };
  const trend = now > before ? 'up' : 'down';
  if (before <= 0) return { text: trend === 'up' ? '上期没有' : '比上期少', trend };
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return { text: `比上期${trend === 'up' ? '多' : '少'} ${percent}%`, trend };
}
