import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Invoice } from '@mozhan/contract/orders.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/orders.ts';
import type { OrderRow } from '../tables.ts';
import { approveAtCashier } from './cashier.ts';
import { publishOrderChange } from './deliver.ts';
import { settlePayment } from './settle.ts';
import { requireProvider, scheduleClose, startPayment } from './start-payment.ts';

/** Orders of other users are reported as not found. */
const requireOwner = (viewer: Viewer, order: OrderRow): OrderRow => {
  if (order.userId !== viewer.id) throw queries.orderNotFound();
  return order;
};

export const getOwnOrder = async (ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> =>
  requireOwner(viewer, await queries.getOrder(ctx.db, id));

/** Checks whether the provider has received the payment; if not, returns the payment instructions again. */
export async function payOrder(ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> {
  const found = await getOwnOrder(ctx, viewer, id);
  const { payBy, no } = found;
  if (found.status === ORDER_STATUS.paid) return found;
  if (found.status !== ORDER_STATUS.waiting || payBy === 'balance') throw new CallError('ORDER_CLOSED');
  const provider = requireProvider(ctx, payBy);
  const order = found.pay === null ? await startPayment(ctx, found, undefined) : found;
  if (payBy === 'sandbox') await approveAtCashier(ctx, no);
  const payment = await provider.query(no);
  if (payment !== null) return settlePayment(ctx, payBy, payment);
  if (order.expiresAt <= ctx.now) throw new CallError('ORDER_CLOSED');
  return order;
}

export function cancelOrder(ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> {
  return inTransaction(ctx, async (ctx) => {
    const order = requireOwner(viewer, await queries.lockOrder(ctx.db, id));
    if (order.status === ORDER_STATUS.cancelled) return order;
    if (order.status !== ORDER_STATUS.waiting) throw new CallError('ORDER_CLOSED');
    const cancelled = await queries.updateCancelled(ctx.db, id);
    await scheduleClose(ctx, [id]);
    publishOrderChange(ctx, cancelled);
    return cancelled;
  });
}

export function setInvoice(ctx: Ctx, viewer: Viewer, id: string, invoice: Invoice): Promise<OrderRow> {
  return inTransaction(ctx, async (ctx) => {
    const { status } = requireOwner(viewer, await queries.lockOrder(ctx.db, id));
    if (status !== ORDER_STATUS.paid)
      throw new CallError('ORDER_CLOSED', { message: '只有已支付的订单可以填写发票信息' });
    return queries.updateInvoice(ctx.db, id, invoice);
  });
}
