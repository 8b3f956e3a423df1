import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { fromDatabase } from '../../../../db/errors.ts';
import { newId } from '../../../../db/id.ts';
import { booking, post } from '../../../platform/ledger/index.ts';
import { getPriceRules } from '../../members/index.ts';
import * as queries from '../queries/orders.ts';
import { commissionOf, EXPIRY_MS, isKept, newNo, nextAsk, paymentLines } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { closeLater, providerOf, start } from './bill.ts';
import { deliverMore, pushOrder } from './deliver.ts';
import { findSale, type Sale, type Wanted } from './sale.ts';
import { tell } from './tell.ts';

/** How it is paid, and by which request it is known. */
export interface Terms {
  payBy: PayBy;
  wechatCode: string | undefined;
  requestId: string | null;
}

/** A request with the same id must want the same. */
function requireSame(order: OrderRow, wanted: Wanted, { payBy }: Terms): OrderRow {
  const isFree = wanted.kind === 'recharge' || wanted.kind === 'reward';
  const isSame =
    order.kind === wanted.kind &&
    order.payBy === payBy &&
    (wanted.kind === 'recharge' || order.targetId === wanted.targetId) &&
    (!isFree || order.amount === wanted.amount) &&
    (wanted.kind !== 'reward' || order.message === wanted.message);
  if (!isSame) throw new CallError('REQUEST_ID_REUSED');
  return order;
}

async function findRepeated(
  ctx: Ctx,
  viewer: Viewer,
  wanted: Wanted,
  terms: Terms,
): Promise<OrderRow | null> {
  if (terms.requestId === null) return null;
  const order = await queries.findByRequest(ctx.db, viewer.id, terms.requestId);
  return order === null ? null : requireSame(order, wanted, terms);
}

async function getRepeated(ctx: Ctx, viewer: Viewer, wanted: Wanted, terms: Terms): Promise<OrderRow> {
  const order = await findRepeated(ctx, viewer, wanted, terms);
  if (order === null) throw new CallError('UNAVAILABLE', { retryAfter: 1 });
  return order;
}

function toOrder(ctx: Ctx, viewer: Viewer, sale: Sale, terms: Terms, commission: number): OrderRow {
  const expiresAt = new Date(ctx.now.getTime() + EXPIRY_MS);
  const isPaid = terms.payBy === 'balance';
  return {
    ...sale,
    id: newId(),
    no: newNo(ctx.now),
    userId: viewer.id,
    commission,
    payBy: terms.payBy,
    status: isPaid ? ORDER_STATUS.paid : ORDER_STATUS.waiting,
    requestId: terms.requestId,
    pay: null,
    tradeNo: '',
    invoice: null,
    expiresAt,
    askAt: nextAsk({ createdAt: ctx.now, expiresAt }, ctx.now),
    paidAt: isPaid ? ctx.now : null,
    refundedAt: null,
    refundReason: '',
    refundedBy: null,
    refundSettledAt: null,
    createdAt: ctx.now,
  };
}

const entryOf = (order: OrderRow) => ({
  kind: order.kind,
  title: order.title,
  orderId: order.id,
  lines: paymentLines(order),
});

/** Paid as it is made, all in one transaction: without the money there is no order. */
async function placePaid(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { isNew, cancelledIds } = await queries.insertPaid(ctx.db, order);
  if (!isNew) return false;
  await deliverMore(ctx, order);
  await closeLater(ctx, cancelledIds);
  pushOrder(ctx, order);
  await post(ctx, entryOf(order));
  return true;
}

interface Made {
  order: OrderRow;
  isNew: boolean;
}

async function make(ctx: Ctx, viewer: Viewer, wanted: Wanted, terms: Terms): Promise<Made> {
  const rules = await getPriceRules(ctx);
  const prepare = async (ctx: Ctx): Promise<OrderRow> => {
    const sale = await findSale(ctx, viewer, wanted, rules);
    return toOrder(ctx, viewer, sale, terms, commissionOf(sale.kind, sale.amount, rules));
  };
  const finish = async (ctx: Ctx, order: OrderRow, isNew: boolean): Promise<Made> =>
    isNew ? { order, isNew } : { order: await getRepeated(ctx, viewer, wanted, terms), isNew };

  if (terms.payBy === 'balance' && isKept(wanted.kind) && ctx.effects === null) {
    const order = await prepare(ctx);
    const isNew = await queries.insertBought(ctx.db, order, booking(ctx, entryOf(order)));
    if (isNew) pushOrder(ctx, order);
    if (isNew !== null) return finish(ctx, order, isNew);
  }
  return inTx(ctx, async (ctx) => {
    const order = await prepare(ctx);
    const place = terms.payBy === 'balance' ? placePaid(ctx, order) : queries.insertWaiting(ctx.db, order);
    return finish(ctx, order, await place);
  });
}

/** A repeat that is refused, because its first has changed what it asks of, gets the first's order. */
async function makeOnce(ctx: Ctx, viewer: Viewer, wanted: Wanted, terms: Terms): Promise<Made> {
  try {
    return await make(ctx, viewer, wanted, terms);
  } catch (thrown) {
    const error = fromDatabase(thrown);
    const order = error instanceof CallError ? await findRepeated(ctx, viewer, wanted, terms) : null;
    if (order === null) throw error;
    return { order, isNew: false };
  }
}

/** From the balance it is paid when this returns; otherwise the order says how to pay. */
export async function createOrder(ctx: Ctx, viewer: Viewer, wanted: Wanted, terms: Terms): Promise<OrderRow> {
  if (terms.payBy === 'balance') {
    if (wanted.kind === 'recharge') throw invalid('payBy', '充值不能用余额支付');
    const { order, isNew } = await makeOnce(ctx, viewer, wanted, terms);
    if (isNew) await tell(ctx, order.id);
    return order;
  }
  providerOf(ctx, terms.payBy);
  const { order } = await makeOnce(ctx, viewer, wanted, terms);
  return order.status === ORDER_STATUS.waiting && order.pay === null
    ? start(ctx, order, terms.wechatCode)
    : order;
}
