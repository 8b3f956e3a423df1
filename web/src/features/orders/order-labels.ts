import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import type { Tone } from '#web/ui/badge.tsx';

export const orderKindLabels: Record<OrderKind, string> = {
  read: '文章',
  column: '专栏',
  reward: '打赏',
  member: '会员',
  recharge: '充值',
};

export const orderStatusLabels: Record<OrderStatus, { name: string; tone: Tone }> = {
  [ORDER_STATUS.waiting]: { name: '待支付', tone: 'warn' },
  [ORDER_STATUS.paid]: { name: '已支付', tone: 'ok' },
  [ORDER_STATUS.cancelled]: { name: '已取消', tone: 'plain' },
  [ORDER_STATUS.refunded]: { name: '已退款', tone: 'info' },
};
