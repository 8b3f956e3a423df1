import { FLAG } from '@mozhan/contract/enums.ts';
import type { WebhookDelivery, WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { Line } from '#admin/ui/line.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { eventOptions, eventText, StatusTag, statusOptions, statusText } from './events.tsx';

const resultText = ({ code, error }: WebhookDelivery): string =>
  error || (code === null ? '-' : `回应 ${code}`);

const columns: Column<WebhookDelivery>[] = [
  { key: 'createdAt', title: '时间', text: (row) => formatDateTime(row.createdAt) },
  { key: 'endpoint', title: '外部通知', text: (row) => row.endpoint.name },
  { key: 'event', title: '事件', text: (row) => eventText(row.event) },
  {
    key: 'status',
    title: '状态',
    text: (row) => statusText(row.status),
    show: (row) => <StatusTag status={row.status} />,
  },
  {
    key: 'result',
    title: '结果',
    text: resultText,
    show: (row) => <Line text={resultText(row)} />,
  },
  { key: 'attempts', title: '尝试', align: 'end', text: (row) => String(row.attempts) },
  {
    key: 'nextAt',
    title: '下次尝试',
    text: (row) => (row.nextAt === null ? '-' : formatDateTime(row.nextAt)),
  },
  {
    key: 'duration',
    title: '用时（毫秒）',
    align: 'end',
    text: (row) => orDash(row.duration?.toString()),
    hidden: true,
  },
  { key: 'id', title: '编号', text: (row) => row.id, show: (row) => <code>{row.id}</code>, hidden: true },
];

/** As many as one call takes. */
const MOST_AT_ONCE = 100;

const isOver = ({ status, endpoint }: WebhookDelivery): boolean =>
  status !== 'waiting' && endpoint.enabled === FLAG.on;

/** What was sent, and what came of it. */
export function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const mayUpdate = useCan()('webhook:update');
  const act = useAct();
  const [shown, setShown] = useState<string>();
  const send = (ids: string[]) =>
    act(
      async (api) => {
        let count = 0;
        for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
          const part = ids.slice(at, at + MOST_AT_ONCE);
          count += (await api('POST core/sys/webhook/redeliver', { ids: part })).count;
        }
        return count;
      },
      (count) => {
        const skipped = ids.length - count;
        const others = skipped > 0 ? `，${skipped} 条跳过（正在等待或已停用）` : '';
        return `已重新投递 ${count} 条${others}，稍后刷新看结果`;
      },
    );
  const filters = [
    {
      name: 'endpointId',
      label: '外部通知',
      options: endpoints.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'event', label: '事件', options: eventOptions },
    { name: 'status', label: '状态', options: statusOptions },
    ...dayFilters,
  ];
  return (
    <>
      <DataTable
        name="webhook-delivery"
        title="投递记录"
        route="GET core/sys/webhook/delivery"
        columns={columns}
        filters={filters}
        batch={(rows, choose) => {
          const over = rows.filter(isOver);
          return mayUpdate && over.length > 0 ? (
            <Button
              size="small"
              onClick={async () => {
                if (await send(over.map(({ id }) => id))) choose();
              }}
            >
              重新投递
            </Button>
          ) : null;
        }}
        actions={(row) => (
          <RowActions
            name={`${row.endpoint.name}，${formatDateTime(row.createdAt)}`}
            actions={[
              { label: '详情', onClick: () => setShown(row.id) },
              mayUpdate && isOver(row) && { label: '重新投递', onClick: () => void send([row.id]) },
            ]}
          />
        )}
      />
      <DeliveryDrawer
        id={shown}
        onClose={() => setShown(undefined)}
        onAgain={mayUpdate ? (id) => void send([id]) : undefined}
      />
    </>
  );
}
