import type { DeliveryStatus, SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import { Tag } from 'antd';

const names: Record<WebhookEvent, string> = {
  'essay.published': '文章首次上架',
  'essay.restored': '文章重新上架',
  'essay.removed': '文章下架或删除',
  'order.paid': '订单付款',
  'order.refunded': '订单退款',
  'comment.created': '有新评论',
};

export const eventText = (event: SentEvent): string => (event === 'ping' ? '测试' : names[event]);
export const wantedOptions = Object.entries(names).map(([value, label]) => ({
  value,
  label: `${label}（${value}）`,
}));
export const eventOptions = [
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
  { value: 'ping', label: '测试' },
];

const statuses: Record<DeliveryStatus, { label: string; color: string }> = {
  waiting: { label: '等待中', color: 'processing' },
  delivered: { label: '已送达', color: 'success' },
  failed: { label: '失败', color: 'error' },
};

export const statusText = (status: DeliveryStatus): string => statuses[status].label;
export const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

export const StatusTag = ({ status }: { status: DeliveryStatus }) => (
  <Tag variant="filled" color={statuses[status].color}>
    {statuses[status].label}
  </Tag>
);
