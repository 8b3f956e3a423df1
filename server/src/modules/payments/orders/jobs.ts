import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { callBack } from './actions/cashier.ts';
import { settleRefund } from './actions/refund.ts';
import { tellLeftOver } from './actions/tell.ts';
import { closeOrder, watchOrders } from './actions/watch.ts';

const one = z.object({ id: z.string() });
const bill = z.object({ no: z.string() });

export const jobs: Jobs = {
  'watch-orders': (ctx) => watchOrders(ctx),
  'tell-orders': (ctx) => tellLeftOver(ctx),
  'close-order': (ctx, payload) => closeOrder(ctx, one.parse(payload).id),
  'refund-order': (ctx, payload) => settleRefund(ctx, one.parse(payload).id),
  'sandbox-callback': (ctx, payload) => callBack(ctx, bill.parse(payload).no),
};
export const schedule = { 'watch-orders': '* * * * *', 'tell-orders': '* * * * *' };
