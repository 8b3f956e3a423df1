import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { Order, StaffOrder } from '@mozhan/contract/orders.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { toPublicUrl, type WebhookData } from '../../../accounts/webhooks/index.ts';
import { columnPathOf } from '../../../content/essays/index.ts';
import type { StaffOrderRow } from '../queries/lists.ts';
import { isRefundPeriodOver, refundNoOf } from '../rules.ts';
import type { OrderRow } from '../tables.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

export const toYuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;

/** Path of the target's page; '' if it has none. */
export function targetUrlOf({ kind, targetId }: Pick<OrderRow, 'kind' | 'targetId'>): string {
  if (kind === 'read' || kind === 'reward') return `/essay/detail/${targetId}.html`;
  return kind === 'column' && targetId !== null ? columnPathOf(targetId) : '';
}

const toFields = (order: OrderRow): Omit<Order, 'pay'> => ({
  id: order.id,
  no: order.no,
  kind: order.kind,
  title: order.title,
  target: order.targetId === null ? null : { id: order.targetId, url: targetUrlOf(order) },
  amount: order.amount,
  status: order.status,
  payBy: order.payBy,
  message: order.message,
  refundReason: order.refundReason,
  invoice: order.invoice,
  expiresAt: order.expiresAt.toISOString(),
  paidAt: iso(order.paidAt),
  refundedAt: iso(order.refundedAt),
  createdAt: order.createdAt.toISOString(),
});

/** Excludes the payer, because webhooks leave the site. */
export const toWebhookPayload = (ctx: Ctx, order: OrderRow): WebhookData => {
  const { no, kind, title, amount, targetId, paidAt, refundedAt } = order;
  const url = targetUrlOf(order);
  return {
    no,
    kind,
    amount,
    paidAt: iso(paidAt),
    refundedAt: iso(refundedAt),
    target: targetId === null ? null : { id: targetId, title, url: url === '' ? '' : toPublicUrl(ctx, url) },
  };
};

export const toOrder = (order: OrderRow, now: Date): Order => ({
  ...toFields(order),
  pay: order.status === ORDER_STATUS.waiting && order.expiresAt > now ? order.pay : null,
});

export function toStaffOrder(
  { order, user, payee, refunder }: StaffOrderRow,
  rules: PriceRules,
  now: Date,
): StaffOrder {
  const card = (person: User | null) => (person === null ? null : toUserCard(person, now));
  return {
    ...toFields(order),
    user: card(user),
    payee: card(payee),
    commission: order.commission,
    tradeNo: order.tradeNo,
    refundedBy: card(refunder),
    refundable:
      order.status === ORDER_STATUS.paid &&
      order.paidAt !== null &&
      !isRefundPeriodOver(order.paidAt, rules, now),
    refundPending: order.status === ORDER_STATUS.refunded && order.refundSettledAt === null,
    refundProblem: order.refundProblem,
    refundNo: order.status === ORDER_STATUS.refunded && order.payBy !== 'balance' ? refundNoOf(order) : '',
  };
}
