import type { Client } from '@mozhan/contract/client.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { WebhookDelivery, WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAction } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { code, count, line, tag, time } from '#admin/ui/columns.tsx';
import { dayFilters } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { eventNames, eventText, statuses } from './events.ts';

/** Maximum ids per call. */
const MAX_BATCH_SIZE = 100;

/** Redelivers and returns the success message. */
async function redeliver(api: Client, ids: readonly string[]): Promise<string> {
  let count = 0;
  for (let at = 0; at < ids.length; at += MAX_BATCH_SIZE) {
    const part = ids.slice(at, at + MAX_BATCH_SIZE);
    count += (await api('POST core/sys/webhook/redeliver', { ids: part })).count;
  }
  const skipped = ids.length - count;
  const others = skipped > 0 ? `，${skipped} 条跳过（正在等待或已停用）` : '';
  return `已重新投递 ${count} 条${others}，稍后刷新看结果`;
}

export function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const mayUpdate = useCan()('webhook:update');
  const act = useAction();
  const redeliverOne = (id: string) =>
    void act(
      (api) => redeliver(api, [id]),
      (successMessage) => successMessage,
    );
  return (
    <ResourceTable
      name="webhook-delivery"
      noun="投递记录"
      list={paged('GET core/sys/webhook/delivery')}
      nameOf={({ endpoint, createdAt }) => `${endpoint.name}，${formatDateTime(createdAt)}`}
      columns={[
        time('createdAt', '时间'),
        { key: 'endpoint', title: '外部通知', text: (row) => row.endpoint.name },
        { key: 'event', title: '事件', text: (row) => eventText(row.event) },
        tag('status', '状态', statuses),
        line.of('result', '结果', ({ code, error }: WebhookDelivery) =>
          error || code === null ? error : `响应 ${code}`,
        ),
        count('attempts', '尝试'),
        time('nextAt', '下次尝试'),
        {
          key: 'duration',
          title: '用时（毫秒）',
          align: 'end',
          text: (row) => orDash(row.duration?.toString()),
          hidden: true,
        },
        code('id', '编号', { hidden: true }),
      ]}
      filters={[
        {
          name: 'endpointId',
          label: '外部通知',
          options: endpoints.map(({ id, name }) => ({ value: id, label: name })),
        },
        { name: 'event', label: '事件', options: optionsOf({ ...eventNames, ping: '测试' }) },
        { name: 'status', label: '状态', options: optionsOf(statuses) },
        ...dayFilters,
      ]}
      rowActions={[
        {
          label: '详情',
          panel: ({ subject, onClose }) => (
            <DeliveryDrawer
              id={subject?.id}
              onClose={onClose}
              onRedeliver={mayUpdate ? redeliverOne : undefined}
            />
          ),
        },
        {
          label: '重新投递',
          permission: 'webhook:update',
          when: ({ status, endpoint }) => status !== 'waiting' && endpoint.enabled === FLAG.on,
          runAll: (api, rows) =>
            redeliver(
              api,
              rows.map(({ id }) => id),
            ),
          bulk: true,
        },
      ]}
    />
  );
}
