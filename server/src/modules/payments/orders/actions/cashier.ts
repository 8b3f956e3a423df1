import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/orders.ts';
import type { CashierOrder } from '@mozhan/contract/orders.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import {
  approveSandboxPayment,
  createSandboxCallback,
  declineSandboxPayment,
  findSandboxPayment,
  isCashierKey,
} from '../providers/sandbox.ts';
import * as queries from '../queries/orders.ts';
import type { OrderRow } from '../tables.ts';
import { publishOrderChange } from './deliver.ts';
import { settlePayment } from './settle.ts';
import { requireProvider } from './start-payment.ts';

/** Requires the key from the cashier's URL. */
async function getOrderByKey(ctx: Ctx, no: string, key: string): Promise<OrderRow> {
  const isRight = ctx.services.providers.sandbox !== undefined && isCashierKey(ctx, no, key);
  const order = isRight ? await queries.findOrderByNo(ctx.db, no) : null;
  if (order?.payBy !== 'sandbox') throw queries.orderNotFound();
  return order;
}

async function toCashierOrder(ctx: Ctx, no: string): Promise<CashierOrder> {
  const [order, bill] = await Promise.all([queries.findOrderByNo(ctx.db, no), findSandboxPayment(ctx, no)]);
  if (order === null) throw queries.orderNotFound();
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

export async function getCashierOrder(ctx: Ctx, no: string, key: string): Promise<CashierOrder> {
  await getOrderByKey(ctx, no, key);
  return toCashierOrder(ctx, no);
}

/** Processes a sandbox callback like that of any other provider. */
export async function runSandboxCallback(ctx: Ctx, no: string): Promise<void> {
  const callback = await createSandboxCallback(ctx, no);
  if (callback === null) return;
  const { payment } = await requireProvider(ctx, 'sandbox').parseCallback(callback);
  if (payment !== null) await settlePayment(ctx, 'sandbox', payment);
}

export async function approveAtCashier(ctx: Ctx, no: string): Promise<void> {
  await approveSandboxPayment(ctx, no);
  await runSandboxCallback(ctx, no);
}

/** Simulates delayed and repeated callbacks, one second apart. */
async function scheduleSandboxCallbacks(ctx: Ctx, no: string, delay: number, times: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    for (let nth = 0; nth < times; nth++) {
      const runAt = new Date(ctx.now.getTime() + (delay + nth) * 1000);
      await addJob(ctx, 'sandbox-callback', { no }, { runAt });
    }
  });
}

/** Notifies the payer's open pages, because the decision may be made on another device. */
async function notifyPayer(ctx: Ctx, { id, pay }: OrderRow, declined: boolean): Promise<void> {
  if (pay === null || (pay.declined ?? false) === declined) return;
  publishOrderChange(ctx, await queries.updatePaymentInstructions(ctx.db, id, { ...pay, declined }));
}

export async function submitCashierAction(
  ctx: Ctx,
  { no, key, action, delay, times }: z.output<typeof calls.submitCashierAction.input>,
): Promise<CashierOrder> {
  const order = await getOrderByKey(ctx, no, key);
  const isOpen =
    order.status === ORDER_STATUS.waiting &&
    (await (action === 'approve' ? approveSandboxPayment(ctx, no) : declineSandboxPayment(ctx, no)));
  if (!isOpen) throw new CallError('ORDER_CLOSED');
  await notifyPayer(ctx, order, action === 'decline');
  if (action === 'approve') {
    if (delay === 0) await runSandboxCallback(ctx, no);
    await scheduleSandboxCallbacks(ctx, no, delay, delay === 0 ? times - 1 : times);
  }
  return toCashierOrder(ctx, no);
}
