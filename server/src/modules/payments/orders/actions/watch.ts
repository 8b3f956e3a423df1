import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import * as queries from '../queries/orders.ts';
import { nextAsk } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { closeLater, providerOf } from './bill.ts';
import { pushOrder } from './deliver.ts';
import { settlePayment } from './settle.ts';

const AT_ONCE = 200;
/** Providers are asked for so many orders at a time. */
const LANES = 8;

/** Whether the provider says that it was paid; then it is settled. */
async function isPaid(ctx: Ctx, { payBy, no }: OrderRow): Promise<boolean> {
  if (payBy === 'balance') return false;
  const payment = await providerOf(ctx, payBy).query(no);
  if (payment !== null) await settlePayment(ctx, payBy, payment);
  return payment !== null;
}

function expire(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { status } = await queries.lockOrder(ctx.db, id);
    if (status !== ORDER_STATUS.waiting) return;
    const expired = await queries.updateCancelled(ctx.db, id);
    await closeLater(ctx, [id]);
    pushOrder(ctx, expired);
  });
}

/** A callback that was lost is made up for; an order that nobody pays ends. */
async function watch(ctx: Ctx, order: OrderRow): Promise<void> {
  const found = await isPaid(ctx, order).catch((error: unknown) => {
    ctx.services.log.warn({ err: error, order: order.no }, 'asking for a payment');
    return false;
  });
  if (found) return;
  if (order.expiresAt <= ctx.now) await expire(ctx, order.id);
  else await queries.updateAsk(ctx.db, order.id, nextAsk(order, ctx.now));
}

/** Every minute: the orders whose time to be asked for has come. */
export async function watchOrders(ctx: Ctx): Promise<void> {
  const orders = await queries.listToAsk(ctx.db, ctx.now, AT_ONCE);
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let order = orders.pop(); order !== undefined; order = orders.pop()) await watch(ctx, order);
    }),
  );
}

/** One that is no order any more: what was paid until now counts, from now on nobody can. */
export async function closeOrder(ctx: Ctx, id: string): Promise<void> {
  const order = await queries.getOrder(ctx.db, id);
  if (await isPaid(ctx, order)) return;
  await providerOf(ctx, order.payBy).close(order.no);
  // Between the question and the closing.
  await isPaid(ctx, order);
}
