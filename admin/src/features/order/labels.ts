import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { OrderStatus, StaffOrder } from '@mozhan/contract/orders.ts';
import { payByNames } from '#admin/lib/money-labels.ts';
import { type Labels, textOf } from '#admin/ui/labels.tsx';

export const statuses: Labels<OrderStatus> = {
  [ORDER_STATUS.waiting]: { label: '待支付', color: 'warning' },
  [ORDER_STATUS.paid]: { label: '已支付', color: 'success' },
  [ORDER_STATUS.cancelled]: { label: '已取消', color: 'default' },
  [ORDER_STATUS.refunded]: { label: '已退款', color: 'error' },
};

const problems: Record<NonNullable<StaffOrder['refundProblem']>, string> = {
  closed: '支付方关闭了退款',
  abnormal: '付款人的银行卡收不到退款',
  refused: '支付方拒绝了退款',
};

export const problemText = ({ refundProblem }: StaffOrder): string =>
  refundProblem === null ? '' : problems[refundProblem];

export function statusText(order: StaffOrder): string {
  const waiting = order.refundPending ? '支付方未确认' : '';
  const note = problemText(order) || waiting;
  return textOf(statuses, order.status) + (note === '' ? '' : `，${note}`);
}

const shareOf = ({ amount, commission }: StaffOrder): number => amount - commission;

function wayBack({ payBy, user }: StaffOrder): string {
  if (payBy === 'balance') return `到${user === null ? '付款人' : `「${user.displayName}」`}的余额，马上到账`;
  if (payBy === 'sandbox') return '到演示收银台，没有真钱往来';
  return `由${payByNames[payBy]}原路退回，到账时间以支付方为准`;
}

const taken: Record<StaffOrder['kind'], string> = {
  recharge: '从付款人的余额中扣回这笔充值；已经花掉的不能退',
  read: '付款人不能再阅读这篇文章',
  column: '付款人不能再阅读这个专栏里的付费文章',
  reward: '这笔打赏与留言从文章下移走',
  member: '扣回这笔订单带来的会员天数',
};

export function effectsOf(order: StaffOrder): string[] {
  const { amount, commission, kind, payee } = order;
  const share = shareOf(order);
  return [
    `${formatYuan(amount)} 全额退还：${wayBack(order)}`,
    taken[kind],
    ...(payee === null || share === 0
      ? []
      : [`从「${payee.displayName}」的收益中扣回 ${formatYuan(share)}，不够时收益为负，以后的收益补上`]),
    ...(commission === 0 ? [] : [`平台收入减少 ${formatYuan(commission)}`]),
  ];
}
