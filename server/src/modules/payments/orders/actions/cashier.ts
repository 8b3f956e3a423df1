import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/orders.ts';
import type { CashierOrder } from '@mozhan/contract/orders.ts';
import type { z } from 'zod';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import {
  approveSandboxBill,
  declineSandboxBill,
  findSandboxBill,
  isCashierKey,
  makeSandboxCallback,
} from '../providers/sandbox.ts';
import * as queries from '../queries/orders.ts';
import type { OrderRow } from '../tables.ts';
import { providerOf } from './bill.ts';
import { pushOrder } from './deliver.ts';
import { settlePayment } from './settle.ts';

/** Only with the address that belongs to it, and only while the cashier is there. */
async function getByKey(ctx: Ctx, no: string, key: string): Promise<OrderRow> {
  const isRight = ctx.services.providers.sandbox !== undefined && isCashierKey(ctx, no, key);
  const order = isRight ? await queries.findByNo(ctx.db, no) : null;
  if (order?.payBy !== 'sandbox') throw queries.noOrder();
  return order;
}

async function toCashierOrder(ctx: Ctx, no: string): Promise<CashierOrder> {
  const [order, bill] = await Promise.all([queries.findByNo(ctx.db, no), findSandboxBill(ctx, no)]);
  if (order === null) throw queries.noOrder();
  const { title, amount, status, expiresAt } = order;
  const isOver = status === ORDER_STATUS.waiting && expiresAt <= ctx.now;
  return {
    no,
    title,
    amount,
    status: isOver ? ORDER_STATUS.cancelled : status,
    declined: bill?.declined === true,
    expiresAt: expiresAt.toISOString(),
  };
}

export async function getCashier(ctx: Ctx, no: string, key: string): Promise<CashierOrder> {
  await getByKey(ctx, no, key);
  return toCashierOrder(ctx, no);
}

/** The way of every callback: read, then settled. */
export async function callBack(ctx: Ctx, no: string): Promise<void> {
  const callback = await makeSandboxCallback(ctx, no);
  if (callback === null) return;
  const { payment } = await providerOf(ctx, 'sandbox').read(callback);
  if (payment !== null) await settlePayment(ctx, 'sandbox', payment);
}

/** The payer agrees, and the cashier tells us at once. */
export async function approve(ctx: Ctx, no: string): Promise<void> {
  await approveSandboxBill(ctx, no);
  await callBack(ctx, no);
}

/** Callbacks come late, and more than once, as they do from others: a second apart. */
async function callBackLater(ctx: Ctx, no: string, delay: number, times: number): Promise<void> {
  await inTx(ctx, async (ctx) => {
    for (let nth = 0; nth < times; nth++) {
      const runAt = new Date(ctx.now.getTime() + (delay + nth) * 1000);
      await addJob(ctx, 'sandbox-callback', { no }, { runAt });
    }
  });
}

/** The page where the order was made, which may be another's than the one who answers here. */
async function tellPayer(ctx: Ctx, { id, pay }: OrderRow, declined: boolean): Promise<void> {
  if (pay === null || (pay.declined ?? false) === declined) return;
  pushOrder(ctx, await queries.updatePay(ctx.db, id, { ...pay, declined }));
}

export async function useCashier(
  ctx: Ctx,
  { no, key, action, delay, times }: z.output<typeof calls.useCashier.input>,
): Promise<CashierOrder> {
  const order = await getByKey(ctx, no, key);
  const isOpen =
    order.status === ORDER_STATUS.waiting &&
    (await (action === 'approve' ? approveSandboxBill(ctx, no) : declineSandboxBill(ctx, no)));
  if (!isOpen) throw new CallError('ORDER_CLOSED');
  await tellPayer(ctx, order, action === 'decline');
  if (action === 'approve') {
    if (delay === 0) await callBack(ctx, no);
    await callBackLater(ctx, no, delay, delay === 0 ? times - 1 : times);
  }
  return toCashierOrder(ctx, no);
}
