import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { PaymentInstructions } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { addJobs } from '../../../../jobs.ts';
import type { Provider } from '../providers/provider.ts';
import * as queries from '../queries/orders.ts';
import { detectDevice } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { targetUrlOf } from '../views/orders.ts';

/** Throws PAY_UNAVAILABLE for the balance and for providers that are not configured. */
export function requireProvider(ctx: Ctx, payBy: PayBy): Provider {
  const provider = payBy === 'balance' ? undefined : ctx.services.providers[payBy];
  if (provider === undefined) throw new CallError('PAY_UNAVAILABLE');
  return provider;
}

const ORDERS_PAGE = '/account/center.html?tab=order';

function returnUrl(ctx: Ctx, order: OrderRow): string {
  const { siteUrl, basePath } = ctx.services.config;
  return (siteUrl ?? basePath) + (targetUrlOf(order) || ORDERS_PAGE);
}

async function requestInstructions(
  ctx: Ctx,
  order: OrderRow,
  wechatCode: string | undefined,
): Promise<PaymentInstructions> {
  const { no, title, amount, expiresAt } = order;
  const { address, userAgent } = ctx.requester;
  const payer = { device: detectDevice(userAgent), address, wechatCode, returnUrl: returnUrl(ctx, order) };
  try {
    return await requireProvider(ctx, order.payBy).start({ no, title, amount, expiresAt }, payer);
  } catch (error) {
    throw error instanceof CallError ? error : new CallError('PAY_FAILED', { cause: error });
  }
}

function cancelUnstarted(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { status } = await queries.lockOrder(ctx.db, id);
    if (status !== ORDER_STATUS.waiting) return;
    await queries.updateCancelled(ctx.db, id, true);
    await scheduleClose(ctx, [id]);
  });
}

/** Calls the provider, so it must not run inside a transaction. */
export async function startPayment(
  ctx: Ctx,
  order: OrderRow,
  wechatCode: string | undefined,
): Promise<OrderRow> {
  let pay: PaymentInstructions;
  try {
    pay = await requestInstructions(ctx, order, wechatCode);
  } catch (error) {
    await cancelUnstarted(ctx, order.id);
    throw error;
  }
  return queries.updatePaymentInstructions(ctx.db, order.id, pay);
}

/** Closes the payments at the provider, so that cancelled orders cannot be paid; earlier payments are still found. */
export const scheduleClose = (ctx: Ctx, ids: string[]): Promise<void> =>
  addJobs(
    ctx,
    'close-order',
    ids.map((id) => ({ id })),
    { maxAttempts: 10 },
  );
