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
  read: '已经买下，全文打开了',
  column: '已经买下，专栏里的文章都打开了',
  member: '会员已经生效',
  recharge: '已经充入余额',
  reward: '谢谢你，作者会收到通知',
};
