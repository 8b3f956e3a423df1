import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Pay } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { addJobs } from '../../../../jobs.ts';
import type { Provider } from '../providers/provider.ts';
import * as queries from '../queries/orders.ts';
import { payingDevice } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { urlOf } from '../views/orders.ts';

/** Who takes the money of an order that is not paid from the balance. */
export function providerOf(ctx: Ctx, payBy: PayBy): Provider {
  const provider = payBy === 'balance' ? undefined : ctx.services.providers[payBy];
  if (provider === undefined) throw new CallError('PAY_UNAVAILABLE');
  return provider;
}

const ORDERS_PAGE = '/account/center.html?tab=order';

function returnUrl(ctx: Ctx, order: OrderRow): string {
  const { siteUrl, basePath } = ctx.services.config;
  return (siteUrl ?? basePath) + (urlOf(order) || ORDERS_PAGE);
}

async function startAt(ctx: Ctx, order: OrderRow, wechatCode: string | undefined): Promise<Pay> {
  const { no, title, amount, expiresAt } = order;
  const { address, userAgent } = ctx.asker;
  const payer = { device: payingDevice(userAgent), address, wechatCode, returnUrl: returnUrl(ctx, order) };
  try {
    return await providerOf(ctx, order.payBy).start({ no, title, amount, expiresAt }, payer);
  } catch (error) {
    throw error instanceof CallError ? error : new CallError('PAY_FAILED', { cause: error });
  }
}

/** What the provider did not take on is an order no more. */
function giveUp(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { status } = await queries.lockOrder(ctx.db, id);
    if (status !== ORDER_STATUS.waiting) return;
    await queries.updateCancelled(ctx.db, id, true);
    await closeLater(ctx, [id]);
  });
}

/** Asks the provider how to pay; never inside a transaction. */
export async function start(ctx: Ctx, order: OrderRow, wechatCode: string | undefined): Promise<OrderRow> {
  let pay: Pay;
  try {
    pay = await startAt(ctx, order, wechatCode);
  } catch (error) {
    await giveUp(ctx, order.id);
    throw error;
  }
  return queries.updatePay(ctx.db, order.id, pay);
}

/** So that nobody can pay what is no order any more; what was paid meanwhile is found. */
export const closeLater = (ctx: Ctx, ids: string[]): Promise<void> =>
  addJobs(
    ctx,
    'close-order',
    ids.map((id) => ({ id })),
    { maxAttempts: 10 },
  );
