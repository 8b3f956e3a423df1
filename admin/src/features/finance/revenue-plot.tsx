import type { Output } from '@mozhan/contract/client.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import { Plot } from '#admin/ui/plot.tsx';

export type Revenue = Output<'GET core/sys/finance/revenue'>;

export function RevenuePlot({ revenue: { days } }: { revenue: Revenue }) {
  return (
    <Plot
      label="收入"
      days={days.map(({ day }) => day)}
      format={formatYuan}
      series={[
        { name: '流水', tone: 'main', values: days.map(({ turnover }) => turnover) },
        { name: '平台收入', tone: 'good', values: days.map(({ commission }) => commission) },
        { name: '退款', tone: 'bad', values: days.map(({ refunded }) => refunded) },
      ]}
    />
  );
}
