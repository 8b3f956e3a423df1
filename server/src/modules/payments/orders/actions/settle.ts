import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { notify } from '../../../accounts/users/index.ts';
import { hasPurchase } from '../../../content/essays/index.ts';
import { post } from '../../../platform/ledger/index.ts';
import type { Payment, ProviderName } from '../providers/provider.ts';
import * as queries from '../queries/orders.ts';
import { isKept, overpaidLines, paymentLines } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { toYuan } from '../views/orders.ts';
import { closeLater } from './bill.ts';
import { deliver, pushOrder } from './deliver.ts';
import { tell } from './tell.ts';

const TOO_MUCH = '重复支付，已退到余额';
const TOO_LATE = '内容已不在，已退到余额';

/** Into the payer's balance what was paid for what they own already, or for what is gone. */
async function keepForPayer(ctx: Ctx, order: OrderRow, payment: Payment, reason: string): Promise<OrderRow> {
  const { tradeNo, paidAt } = payment;
  const kept = await queries.updateOverpaid(ctx.db, order.id, { tradeNo, paidAt, now: ctx.now, reason });
  pushOrder(ctx, kept);
  const { id, userId, title, amount } = order;
  await notify(ctx, {
    userId,
    kind: 'system',
    text: `你为《${title}》支付的 ${toYuan(amount)} 没有可交付的内容，已退到余额`,
    target: { id, title, url: '/account/center.html?tab=wallet' },
  });
  await post(ctx, { kind: 'overpaid', title, orderId: id, lines: overpaidLines(order) });
  return kept;
}

function requireRight(order: OrderRow | null, provider: ProviderName, payment: Payment): OrderRow {
  if (order === null || order.payBy !== provider)
    throw new CallError('MALFORMED', { message: '没有这张订单' });
  if (order.amount !== payment.amount) throw new CallError('MALFORMED', { message: '金额与订单不符' });
  return order;
}

/**
 * What a provider says was paid, however often and in whatever order it says so: by callback, by query, by the cashier.
 * An order that was cancelled or has expired meanwhile is delivered all the same, if it still can be.
 */
export async function settlePayment(ctx: Ctx, provider: ProviderName, payment: Payment): Promise<OrderRow> {
  const { order, isNew } = await inTx(ctx, async (ctx) => {
    const order = requireRight(await queries.lockByNo(ctx.db, payment.no), provider, payment);
    if (order.status === ORDER_STATUS.paid || order.status === ORDER_STATUS.refunded) {
      if (order.tradeNo !== payment.tradeNo)
        ctx.services.log.error({ order: order.no, tradeNo: payment.tradeNo }, 'paid twice at the provider');
      return { order, isNew: false };
    }
    if (!(await deliver(ctx, order))) {
      const isOwned = order.targetId !== null && (await hasPurchase(ctx.db, order.userId, order.targetId));
      const kept = await keepForPayer(ctx, order, payment, isOwned ? TOO_MUCH : TOO_LATE);
      return { order: kept, isNew: false };
    }
    const { tradeNo, paidAt } = payment;
    const paid = await queries.updatePaid(ctx.db, order.id, { tradeNo, paidAt, now: ctx.now });
    if (isKept(paid.kind)) await closeLater(ctx, await queries.cancelOthers(ctx.db, paid));
    pushOrder(ctx, paid);
    await post(ctx, { kind: paid.kind, title: paid.title, orderId: paid.id, lines: paymentLines(paid) });
    return { order: paid, isNew: true };
  });
  if (isNew) await tell(ctx, order.id);
  return order;
}
