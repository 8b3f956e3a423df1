import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { runSandboxCallback } from './actions/cashier.ts';
import { checkWaitingOrders, closeOrder } from './actions/check-payments.ts';
import { notifyMissedOrders } from './actions/notify-paid.ts';
import { settleRefund } from './actions/refund.ts';

const orderPayload = z.object({ id: z.string() });
const sandboxPayload = z.object({ no: z.string() });

export const jobs: Jobs = {
  'watch-orders': (ctx) => checkWaitingOrders(ctx),
  'tell-orders': (ctx) => notifyMissedOrders(ctx),
  'close-order': (ctx, payload) => closeOrder(ctx, orderPayload.parse(payload).id),
  'refund-order': (ctx, payload) => settleRefund(ctx, orderPayload.parse(payload).id),
  'sandbox-callback': (ctx, payload) => runSandboxCallback(ctx, sandboxPayload.parse(payload).no),
};
export const schedule = { 'watch-orders': '* * * * *', 'tell-orders': '* * * * *' };
