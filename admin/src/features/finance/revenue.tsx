import { DownloadOutlined } from '@ant-design/icons';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { orderKinds } from '#admin/lib/money-labels.ts';
import { call } from '#admin/lib/queries.ts';
import { CardHead } from '#admin/ui/card-head.tsx';
import { saveAsCsv } from '#admin/ui/export-button.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { Card, LoadError } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import styles from './finance.module.css';
import { type Revenue, RevenuePlot } from './revenue-plot.tsx';

const fileColumns: Column<Revenue['days'][number]>[] = [
  { key: 'day', title: '日期', text: (row) => row.day },
  { key: 'orders', title: '付清的订单', text: (row) => String(row.orders) },
  { key: 'turnover', title: '流水（元）', text: (row) => toYuan(row.turnover) },
  { key: 'commission', title: '平台收入（元）', text: (row) => toYuan(row.commission) },
  { key: 'refunded', title: '退款（元）', text: (row) => toYuan(row.refunded) },
];

function Totals({ total }: { total: Revenue['total'] }) {
  const figures = [
    ['流水', formatYuan(total.turnover)],
    ['平台收入', formatYuan(total.commission)],
    ['退款', formatYuan(total.refunded)],
    ['付清的订单', total.orders.toLocaleString('zh-CN')],
  ];
  return (
    <dl className={styles.totals}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Kinds({ kinds }: { kinds: Revenue['kinds'] }) {
  const maxAmount = Math.max(1, ...kinds.map(({ amount }) => amount));
  return (
    <ul className={styles.kinds}>
      {kinds.map(({ kind, amount, orders }) => (
        <li key={kind}>
          <span>{orderKinds[kind]}</span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(amount / maxAmount) * 100} height="1" />
          </svg>
          <span className={styles.sum}>{formatYuan(amount)}</span>
          <small>{orders.toLocaleString('zh-CN')} 笔</small>
        </li>
      ))}
    </ul>
  );
}

export function RevenuePanel({ days }: { days: number }) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/finance/revenue', { days }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined)
    return (
      <Card>
        {error === null ? (
          <Skeleton active paragraph={{ rows: 10 }} />
        ) : (
          <LoadError error={error} onRetry={() => void refetch()} />
        )}
      </Card>
    );
  return (
    <>
      <Totals total={data.total} />
      <Card>
        <CardHead title="每天的收入">
          <IconButton
            label="导出 CSV"
            icon={<DownloadOutlined />}
            onClick={() => saveAsCsv('收入', fileColumns, data.days)}
          />
        </CardHead>
        <RevenuePlot revenue={data} />
      </Card>
      <Card>
        <CardHead title="按类型" />
        <Kinds kinds={data.kinds} />
      </Card>
    </>
  );
}
