import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { notify } from '../../../accounts/users/index.ts';
import { hasPurchase } from '../../../content/essays/index.ts';
import { lockUserAccounts, post } from '../../../platform/ledger/index.ts';
import type { Payment, ProviderName } from '../providers/provider.ts';
import * as queries from '../queries/orders.ts';
import { isReadingRight, overpaidLines, paymentLines } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { toYuan } from '../views/orders.ts';
import { deliverOrder, publishOrderChange } from './deliver.ts';
import { notifyOrderPaid } from './notify-paid.ts';
import { scheduleClose } from './start-payment.ts';

const PAID_TWICE_REASON = '重复支付，已退到余额';
const CONTENT_GONE_REASON = '内容已不在，已退到余额';

/** Credits a payment for content that is already owned or deleted to the payer's balance. */
async function creditToBalance(
  ctx: Ctx,
  order: OrderRow,
  payment: Payment,
  reason: string,
): Promise<OrderRow> {
  const { tradeNo, paidAt } = payment;
  const credited = await queries.updateOverpaid(ctx.db, order.id, { tradeNo, paidAt, now: ctx.now, reason });
  publishOrderChange(ctx, credited);
  const { id, userId, title, amount } = order;
  await notify(ctx, {
    userId,
    kind: 'system',
    text: `你为《${title}》支付的 ${toYuan(amount)} 没有可交付的内容，已退到余额`,
    target: { id, title, url: '/account/center.html?tab=wallet' },
  });
  await post(ctx, { kind: 'overpaid', title, orderId: id, lines: overpaidLines(order) });
  return credited;
}

function requireMatchingOrder(order: OrderRow | null, provider: ProviderName, payment: Payment): OrderRow {
  if (order === null || order.payBy !== provider)
    throw new CallError('MALFORMED', { message: '没有这张订单' });
  if (order.amount !== payment.amount) throw new CallError('MALFORMED', { message: '金额与订单不符' });
  return order;
}

interface Settled {
  order: OrderRow;
  /** Null for a repeated report. */
  result: 'paid' | 'credited' | null;
}

/**
 * Records a payment that a provider reported by callback, query or cashier; repeated reports have no effect. An order
 * that was cancelled or has expired meanwhile is still delivered if possible.
 */
export async function settlePayment(ctx: Ctx, provider: ProviderName, payment: Payment): Promise<OrderRow> {
  const { order, result } = await inTransaction(ctx, async (ctx): Promise<Settled> => {
    const order = requireMatchingOrder(await queries.lockOrderByNo(ctx.db, payment.no), provider, payment);
    if (order.status === ORDER_STATUS.paid || order.status === ORDER_STATUS.refunded) {
      if (order.tradeNo !== payment.tradeNo)
        ctx.services.log.error({ order: order.no, tradeNo: payment.tradeNo }, 'paid twice at the provider');
      return { order, result: null };
    }
    await lockUserAccounts(ctx, { lines: [...paymentLines(order), ...overpaidLines(order)] });
    if (!(await deliverOrder(ctx, order))) {
      const isOwned = order.targetId !== null && (await hasPurchase(ctx.db, order.userId, order.targetId));
      const credited = await creditToBalance(
        ctx,
        order,
        payment,
        isOwned ? PAID_TWICE_REASON : CONTENT_GONE_REASON,
      );
      return { order: credited, result: 'credited' };
    }
    const { tradeNo, paidAt } = payment;
    const paid = await queries.updatePaid(ctx.db, order.id, { tradeNo, paidAt, now: ctx.now });
    if (isReadingRight(paid.kind)) await scheduleClose(ctx, await queries.cancelOtherOrders(ctx.db, paid));
    publishOrderChange(ctx, paid);
    await post(ctx, { kind: paid.kind, title: paid.title, orderId: paid.id, lines: paymentLines(paid) });
    return { order: paid, result: 'paid' };
  });
  if (result !== null) ctx.services.metrics.countPayment(provider, result);
  if (result === 'paid') await notifyOrderPaid(ctx, order.id);
  return order;
}
