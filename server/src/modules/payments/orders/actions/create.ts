import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { mapDatabaseError } from '../../../../db/errors.ts';
import { newId } from '../../../../db/id.ts';
import { entryJson, lockUserAccounts, post } from '../../../platform/ledger/index.ts';
import { getPriceRules } from '../../members/index.ts';
import * as queries from '../queries/orders.ts';
import {
  commissionOf,
  createOrderNumber,
  isReadingRight,
  nextQueryTime,
  ORDER_EXPIRY_MS,
  paymentLines,
} from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { buyInBatch } from './buy.ts';
import { deliverMembershipOrReward, publishOrderChange } from './deliver.ts';
import { notifyOrderPaid } from './notify-paid.ts';
import { findSale, type OrderRequest, type Sale } from './sale.ts';
import { requireProvider, scheduleClose, startPayment } from './start-payment.ts';

export interface PaymentTerms {
  payBy: PayBy;
  wechatCode: string | undefined;
  requestId: string | null;
}

/** A repeated request id must have the same parameters. */
function requireSameRequest(order: OrderRow, request: OrderRequest, { payBy }: PaymentTerms): OrderRow {
  const isFree = request.kind === 'recharge' || request.kind === 'reward';
  const isSame =
    order.kind === request.kind &&
    order.payBy === payBy &&
    (request.kind === 'recharge' || order.targetId === request.targetId) &&
    (!isFree || order.amount === request.amount) &&
    (request.kind !== 'reward' || order.message === request.message);
  if (!isSame) throw new CallError('REQUEST_ID_REUSED');
  return order;
}

async function findOrderOfRequest(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  terms: PaymentTerms,
): Promise<OrderRow | null> {
  if (terms.requestId === null) return null;
  const order = await queries.findOrderByRequestId(ctx.db, viewer.id, terms.requestId);
  return order === null ? null : requireSameRequest(order, request, terms);
}

async function getOrderOfRequest(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  terms: PaymentTerms,
): Promise<OrderRow> {
  const order = await findOrderOfRequest(ctx, viewer, request, terms);
  if (order === null) throw new CallError('UNAVAILABLE', { retryAfter: 1 });
  return order;
}

function toOrder(ctx: Ctx, viewer: Viewer, sale: Sale, terms: PaymentTerms, commission: number): OrderRow {
  const expiresAt = new Date(ctx.now.getTime() + ORDER_EXPIRY_MS);
  const isPaid = terms.payBy === 'balance';
  return {
    ...sale,
    id: newId(),
    no: createOrderNumber(ctx.now),
    userId: viewer.id,
    commission,
    payBy: terms.payBy,
    status: isPaid ? ORDER_STATUS.paid : ORDER_STATUS.waiting,
    requestId: terms.requestId,
    pay: null,
    tradeNo: '',
    invoice: null,
    expiresAt,
    askAt: nextQueryTime({ createdAt: ctx.now, expiresAt }, ctx.now),
    paidAt: isPaid ? ctx.now : null,
    refundedAt: null,
    refundReason: '',
    refundedBy: null,
    refundSettledAt: null,
    refundAttempt: 1,
    refundProblem: null,
    createdAt: ctx.now,
  };
}

const toLedgerEntry = (order: OrderRow) => ({
  kind: order.kind,
  title: order.title,
  orderId: order.id,
  lines: paymentLines(order),
});

/** Inserts, delivers and posts the order in the caller's transaction, so that nothing remains if the balance is too low. */
async function insertPaidFromBalance(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const entry = toLedgerEntry(order);
  await lockUserAccounts(ctx, entry);
  const { isNew, cancelledIds } = await queries.insertPaidOrder(ctx.db, order);
  if (!isNew) return false;
  await deliverMembershipOrReward(ctx, order);
  await scheduleClose(ctx, cancelledIds);
  publishOrderChange(ctx, order);
  await post(ctx, entry);
  return true;
}

interface CreatedOrder {
  order: OrderRow;
  isNew: boolean;
}

async function insertOrder(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  terms: PaymentTerms,
): Promise<CreatedOrder> {
  const rules = await getPriceRules(ctx);
  const prepare = async (ctx: Ctx): Promise<OrderRow> => {
    const sale = await findSale(ctx, viewer, request, rules);
    return toOrder(ctx, viewer, sale, terms, commissionOf(sale.kind, sale.amount, rules));
  };
  const finish = async (ctx: Ctx, order: OrderRow, isNew: boolean): Promise<CreatedOrder> =>
    isNew ? { order, isNew } : { order: await getOrderOfRequest(ctx, viewer, request, terms), isNew };

  if (terms.payBy === 'balance' && isReadingRight(request.kind) && ctx.effects === null) {
    const order = await prepare(ctx);
    const isNew = await buyInBatch(ctx, { order, entry: entryJson(ctx, toLedgerEntry(order)) });
    if (isNew) publishOrderChange(ctx, order);
    if (isNew !== null) return finish(ctx, order, isNew);
  }
  return inTransaction(ctx, async (ctx) => {
    const order = await prepare(ctx);
    const insertion =
      terms.payBy === 'balance'
        ? insertPaidFromBalance(ctx, order)
        : queries.insertWaitingOrder(ctx.db, order);
    return finish(ctx, order, await insertion);
  });
}

/** A repeated request may fail because the first one changed the state (already owned); it returns the first order. */
async function insertOrderOnce(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  terms: PaymentTerms,
): Promise<CreatedOrder> {
  try {
    return await insertOrder(ctx, viewer, request, terms);
  } catch (thrown) {
    const error = mapDatabaseError(thrown);
    const order = error instanceof CallError ? await findOrderOfRequest(ctx, viewer, request, terms) : null;
    if (order === null) throw error;
    return { order, isNew: false };
  }
}

/** Orders from the balance are paid on return; others contain payment instructions. */
export async function createOrder(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  terms: PaymentTerms,
): Promise<OrderRow> {
  if (terms.payBy === 'balance') {
    if (request.kind === 'recharge') throw invalidField('payBy', '充值不能用余额支付');
    const { order, isNew } = await insertOrderOnce(ctx, viewer, request, terms);
    if (isNew) await notifyOrderPaid(ctx, order.id);
    return order;
  }
  requireProvider(ctx, terms.payBy);
  const { order } = await insertOrderOnce(ctx, viewer, request, terms);
  return order.status === ORDER_STATUS.waiting && order.pay === null
    ? startPayment(ctx, order, terms.wechatCode)
    : order;
}
