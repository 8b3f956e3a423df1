import { FLAG } from '@mozhan/contract/enums.ts';
import type { WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { Tag } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledOptions, enabledText } from '#admin/ui/enabled-tag.tsx';
import { Line } from '#admin/ui/line.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn } from '#admin/ui/row-columns.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { WholeTable, type WholeTableProps } from '#admin/ui/whole-table.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { eventText } from './events.tsx';
import styles from './webhook.module.css';

function stateOf({ enabled, failingSince, disabledAt }: WebhookEndpoint): string {
  if (disabledAt !== null) return '多日没有送达，已停用';
  if (enabled === FLAG.off) return '-';
  return failingSince === null ? '正常' : `${formatDateTime(failingSince)} 起没有送达`;
}

function State({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (endpoint.enabled === FLAG.off && endpoint.disabledAt === null) return '-';
  const color =
    endpoint.disabledAt !== null ? 'error' : endpoint.failingSince !== null ? 'warning' : 'success';
  return (
    <Tag variant="filled" color={color}>
      {stateOf(endpoint)}
    </Tag>
  );
}

type EndpointsProps = Pick<WholeTableProps<WebhookEndpoint>, 'rows' | 'busy' | 'error' | 'onRefresh'> & {
  onEdit: (row: WebhookEndpoint) => void;
  /** Its secret is to be shown. */
  onSigned: (row: WebhookEndpoint) => void;
};

/** Where it is told what happens here. */
export function Endpoints({ onEdit, onSigned, ...list }: EndpointsProps) {
  const { api } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const [sent, setSent] = useState<string>();
  const mayUpdate = can('webhook:update');

  const test = (row: WebhookEndpoint) =>
    act(async () => setSent((await api('POST core/sys/webhook/test', { id: row.id })).id), '测试已发出');

  const columns: Column<WebhookEndpoint>[] = [
    { key: 'name', title: '名称', text: (row) => row.name },
    { key: 'url', title: '网址', text: (row) => row.url, show: (row) => <Line text={row.url} /> },
    {
      key: 'events',
      title: '事件',
      text: (row) => row.events.map(eventText).join('、'),
      show: (row) => (
        <span className={styles.events}>
          {row.events.map((event) => (
            <Tag key={event} variant="filled">
              {eventText(event)}
            </Tag>
          ))}
        </span>
      ),
    },
    { key: 'state', title: '送达', text: stateOf, show: (row) => <State endpoint={row} /> },
    enabledColumn({
      nameOf: (row) => row.name,
      mayUpdate,
      setEnabled: (row, enabled) =>
        act(
          (api) => api('PUT core/sys/webhook/', { id: row.id, enabled }),
          `已${enabledText(enabled)}「${row.name}」`,
        ),
    }),
    { key: 'createdAt', title: '创建时间', text: (row) => formatDateTime(row.createdAt), hidden: true },
  ];

  return (
    <>
      <WholeTable
        {...list}
        name="webhook"
        title="外部通知"
        columns={columns}
        keyword="搜索名称或网址"
        filters={[
          {
            name: 'enabled',
            label: '启用',
            options: enabledOptions,
            test: (row, value) => String(row.enabled) === value,
          },
        ]}
        actions={(row) => (
          <span className={styles.actions}>
            <Link to={`/webhook?tab=delivery&endpointId=${row.id}`} aria-label={`记录：${row.name}`}>
              记录
            </Link>
            <RowActions
              name={row.name}
              actions={[
                mayUpdate && row.enabled === FLAG.on && { label: '发送测试', onClick: () => void test(row) },
                mayUpdate && { label: '编辑', onClick: () => onEdit(row) },
                mayUpdate && { label: '签名', onClick: () => onSigned(row) },
                can('webhook:remove') && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '外部通知',
                      name: row.name,
                      work: (api) => api('DELETE core/sys/webhook/', { id: row.id }),
                    }),
                },
              ]}
            />
          </span>
        )}
      />
      <DeliveryDrawer id={sent} onClose={() => setSent(undefined)} onAgain={undefined} />
    </>
  );
}
