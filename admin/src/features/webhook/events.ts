import type { DeliveryStatus, SentEvent, WebhookEvent } from '@mozhan/contract/webhooks.ts';
import type { Labels } from '#admin/ui/labels.tsx';

export const eventNames: Record<WebhookEvent, string> = {
  'essay.published': '文章首次上架',
  'essay.restored': '文章重新上架',
  'essay.removed': '文章下架或删除',
  'order.paid': '订单付款',
  'order.refunded': '订单退款',
  'comment.created': '有新评论',
};

export const eventText = (event: SentEvent): string => (event === 'ping' ? '测试' : eventNames[event]);

export const statuses: Labels<DeliveryStatus> = {
  waiting: { label: '等待中', color: 'processing' },
  delivered: { label: '已送达', color: 'success' },
  failed: { label: '失败', color: 'error' },
};
