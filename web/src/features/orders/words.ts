import type { OrderKind, OrderStatus } from '#contract/orders.ts';
import type { Tone } from '#web/ui/badge.tsx';

export const kindNames: Record<OrderKind, string> = {
  read: '文章',
  column: '专栏',
  reward: '打赏',
  member: '会员',
  recharge: '充值',
};

export const states: Record<OrderStatus, { name: string; tone: Tone }> = {
  0: { name: '待支付', tone: 'warn' },
  1: { name: '已支付', tone: 'ok' },
  2: { name: '已取消', tone: 'plain' },
  3: { name: '已退款', tone: 'info' },
};
