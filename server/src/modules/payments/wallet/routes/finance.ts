import * as calls from '@mozhan/contract/finance.ts';
import { chinaDayOf } from '../../../../day.ts';
import { bind, bindPage, bindPrepared } from '../../../../http/route.ts';
import { reconcile } from '../actions/finance.ts';
import { listReconciliations } from '../queries/reconciliations.ts';
import { listDailyRevenue, listRevenueByKind } from '../queries/revenue.ts';
import { toReconciliation, toRevenue } from '../views/finance.ts';

const DAY_MS = 86_400_000;

export const routes = [
  bindPage(calls.listReconciliations, toReconciliation, (ctx, query) => listReconciliations(ctx.db, query)),
  bindPrepared(calls.reconcile, async (ctx, { day }) => {
    const store = await reconcile(ctx, day);
    return async (ctx) => (await store(ctx)).map(toReconciliation);
  }),
  bind(calls.getRevenue, async (ctx, { days }) => {
    const from = chinaDayOf(new Date(ctx.now.getTime() - (days - 1) * DAY_MS));
    const [list, kinds] = await Promise.all([
      listDailyRevenue(ctx.db, from, chinaDayOf(ctx.now)),
      listRevenueByKind(ctx.db, from),
    ]);
    return toRevenue(list, kinds);
  }),
];
