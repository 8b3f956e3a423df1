import { FLAG } from '@mozhan/contract/enums.ts';
import type { WebhookEndpoint } from '@mozhan/contract/webhooks.ts';
import { Tag } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';

export function deliveryStateText({ enabled, failingSince, disabledAt }: WebhookEndpoint): string {
  if (disabledAt !== null) return '多日没有送达，已停用';
  if (enabled === FLAG.off) return '-';
  return failingSince === null ? '正常' : `${formatDateTime(failingSince)} 起没有送达`;
}

export function DeliveryState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, failingSince, disabledAt } = endpoint;
  if (enabled === FLAG.off && disabledAt === null) return '-';
  const color = disabledAt !== null ? 'error' : failingSince !== null ? 'warning' : 'success';
  return <Tag color={color}>{deliveryStateText(endpoint)}</Tag>;
}
