import type { TrafficDay } from '@mozhan/contract/traffic.ts';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Plot } from '#admin/ui/plot.tsx';
import { Card } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import styles from './traffic.module.css';

const figures = [
  { key: 'views', label: '浏览量', note: '打开页面的次数' },
  { key: 'visits', label: '访问次数', note: '从站外来的浏览' },
  { key: 'visitors', label: '访客', note: '每天各算一次' },
] as const;

export const dayColumns: Column<TrafficDay>[] = [
  { key: 'day', title: '日期', text: ({ day }) => day },
  ...figures.map(({ key, label }) => ({ key, title: label, text: (row: TrafficDay) => String(row[key]) })),
];

const format = (value: number): string => value.toLocaleString('zh-CN');
const compact = new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumFractionDigits: 1 });

export const TrafficPlots = ({ days }: { days: readonly TrafficDay[] }) => (
  <div className={styles.plots}>
    {figures.map(({ key, label, note }) => (
      <Card key={key}>
        <CardHead title={label} />
        <Plot
          label={label}
          days={days.map(({ day }) => day)}
          series={[{ name: label, values: days.map((day) => day[key]), tone: 'main' }]}
          format={format}
          formatAxis={compact.format}
          isCard
          note={<span>{note}</span>}
        />
      </Card>
    ))}
  </div>
);
