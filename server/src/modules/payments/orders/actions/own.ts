import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Invoice } from '@mozhan/contract/orders.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/orders.ts';
import type { OrderRow } from '../tables.ts';
import { closeLater, providerOf, start } from './bill.ts';
import { approve } from './cashier.ts';
import { pushOrder } from './deliver.ts';
import { settlePayment } from './settle.ts';

/** Another's order is not there. */
const own = (viewer: Viewer, order: OrderRow): OrderRow => {
  if (order.userId !== viewer.id) throw queries.noOrder();
  return order;
};

export const getOwn = async (ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> =>
  own(viewer, await queries.getOrder(ctx.db, id));

/** At the provider's it may be paid already; if not, how to pay is said once more. Paid is paid, asked for again or not. */
export async function payOrder(ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> {
  const found = await getOwn(ctx, viewer, id);
  const { payBy, no } = found;
  if (found.status === ORDER_STATUS.paid) return found;
  if (found.status !== ORDER_STATUS.waiting || payBy === 'balance') throw new CallError('ORDER_CLOSED');
  const provider = providerOf(ctx, payBy);
  const order = found.pay === null ? await start(ctx, found, undefined) : found;
  if (payBy === 'sandbox') await approve(ctx, no);
  const payment = await provider.query(no);
  if (payment !== null) return settlePayment(ctx, payBy, payment);
  if (order.expiresAt <= ctx.now) throw new CallError('ORDER_CLOSED');
  return order;
}

export function cancelOrder(ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> {
  return inTx(ctx, async (ctx) => {
    const order = own(viewer, await queries.lockOrder(ctx.db, id));
    if (order.status === ORDER_STATUS.cancelled) return order;
    if (order.status !== ORDER_STATUS.waiting) throw new CallError('ORDER_CLOSED');
    const cancelled = await queries.updateCancelled(ctx.db, id);
    await closeLater(ctx, [id]);
    pushOrder(ctx, cancelled);
    return cancelled;
  });
}

export function setInvoice(ctx: Ctx, viewer: Viewer, id: string, invoice: Invoice): Promise<OrderRow> {
  return inTx(ctx, async (ctx) => {
    const { status } = own(viewer, await queries.lockOrder(ctx.db, id));
    if (status !== ORDER_STATUS.paid)
      throw new CallError('ORDER_CLOSED', { message: '只有已支付的订单可以填写发票信息' });
    return queries.updateInvoice(ctx.db, id, invoice);
  });
}
