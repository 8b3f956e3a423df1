import type { OrderKind } from '@mozhan/contract/orders.ts';

export interface Bill {
  kind: OrderKind;
  targetId?: string;
  title: string;
  /** In fen. */
  amount: number;
  message?: string;
}

export const payDialogTitles: Record<OrderKind, string> = {
  read: '购买全文',
  column: '购买专栏',
  member: '开通会员',
  recharge: '充值余额',
  reward: '打赏作者',
};

export const paidMessages: Record<OrderKind, string> = {
  read: '购买成功，现在可以阅读全文',
  column: '购买成功，专栏里的文章都可以读了',
  member: '会员已生效',
  recharge: '已充入余额',
  reward: '谢谢你，作者会收到通知',
};
