import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import * as queries from '../queries/orders.ts';
import { nextQueryTime } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { publishOrderChange } from './deliver.ts';
import { settlePayment } from './settle.ts';
import { requireProvider, scheduleClose } from './start-payment.ts';

const BATCH_SIZE = 200;
const CONCURRENCY = 8;

/** Queries the provider and settles a payment; returns whether there was one. */
async function settleIfPaid(ctx: Ctx, { payBy, no }: OrderRow): Promise<boolean> {
  if (payBy === 'balance') return false;
  const payment = await requireProvider(ctx, payBy).query(no);
  if (payment !== null) await settlePayment(ctx, payBy, payment);
  return payment !== null;
}

function expireOrder(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { status } = await queries.lockOrder(ctx.db, id);
    if (status !== ORDER_STATUS.waiting) return;
    const expired = await queries.updateCancelled(ctx.db, id);
    await scheduleClose(ctx, [id]);
    publishOrderChange(ctx, expired);
  });
}

async function checkOrder(ctx: Ctx, order: OrderRow): Promise<void> {
  const found = await settleIfPaid(ctx, order).catch((error: unknown) => {
    ctx.services.log.warn({ err: error, order: order.no }, 'asking for a payment');
    return false;
  });
  if (found) return;
  if (order.expiresAt <= ctx.now) await expireOrder(ctx, order.id);
  else await queries.updateNextQuery(ctx.db, order.id, nextQueryTime(order, ctx.now));
}

/** Runs every minute for the orders whose next query is due. */
export async function checkWaitingOrders(ctx: Ctx): Promise<void> {
  const orders = await queries.listOrdersToQuery(ctx.db, ctx.now, BATCH_SIZE);
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let order = orders.pop(); order !== undefined; order = orders.pop()) await checkOrder(ctx, order);
    }),
  );
}

/** Settles an earlier payment, or closes the payment at the provider. */
export async function closeOrder(ctx: Ctx, id: string): Promise<void> {
  const order = await queries.getOrder(ctx.db, id);
  if (await settleIfPaid(ctx, order)) return;
  await requireProvider(ctx, order.payBy).close(order.no);
  // The order may have been paid between the query and the closing.
  await settleIfPaid(ctx, order);
}
