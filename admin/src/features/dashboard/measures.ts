import type { Output } from '@mozhan/contract/client.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { SiteFigures } from '@mozhan/contract/stats.ts';
import type { Column } from '#admin/ui/use-columns.ts';

export type SiteStats = Output<'GET core/sys/stat/'>;
export type SiteDay = SiteStats['days'][number];

interface Part {
  key: keyof SiteFigures;
  name: string;
  tone: 'main' | 'bad';
}

export interface Measure {
  title: string;
  parts: readonly [Part, ...Part[]];
  isMoney?: true;
  to?: string;
  /** Drawn as bars instead of an area. */
  isDiscrete?: true;
}

const singlePart = (key: keyof SiteFigures, title: string) =>
  ({ title, parts: [{ key, name: title, tone: 'main' }] }) as const;

export const measures: readonly Measure[] = [
  singlePart('reads', '阅读'),
  { ...singlePart('registrations', '注册'), isDiscrete: true },
  { ...singlePart('publications', '发布'), isDiscrete: true },
  {
    title: '收入',
    to: '/finance',
    isMoney: true,
    parts: [
      { key: 'turnover', name: '流水', tone: 'main' },
      { key: 'refunded', name: '退款', tone: 'bad' },
    ],
  },
  { ...singlePart('messages', '私信与聊天'), isDiscrete: true },
  { ...singlePart('comments', '评论'), isDiscrete: true },
];

const compactNumber = new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumFractionDigits: 1 });

export const formatOf = ({ isMoney }: Measure) =>
  isMoney ? formatYuan : (value: number) => value.toLocaleString('zh-CN');

/** Compact: 2 万 instead of 20,000. */
export const formatAxisOf = ({ isMoney }: Measure) =>
  isMoney
    ? (fen: number) => `¥ ${compactNumber.format(fen / 100)}`
    : (value: number) => compactNumber.format(value);

export const columnsOf = (measure: Measure): Column<SiteDay>[] => [
  { key: 'day', title: '日期', text: (row) => row.day },
  ...measure.parts.map(({ key, name }) => ({
    key,
    title: measure.isMoney ? `${name}（元）` : name,
    text: (row: SiteDay) => (measure.isMoney ? toYuan(row[key] ?? 0) : String(row[key] ?? 0)),
    show: (row: SiteDay) => formatOf(measure)(row[key] ?? 0),
  })),
];

/** Change from the previous period of the same length; null when that period has no data. */
export function describeChange(
  now: number,
  before: number,
): { trend: 'up' | 'down' | 'same'; text: string } | null {
  if (before === 0) return null;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return { trend: 'same', text: '持平' };
  if (percent >= 1000) return { trend: 'up', text: `${Math.round(now / before)} 倍` };
  return { trend: percent > 0 ? 'up' : 'down', text: `${Math.abs(percent)}%` };
}
