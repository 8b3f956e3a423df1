import * as calls from '@mozhan/contract/stats.ts';
import { chinaDayOf } from '../../../day.ts';
import { bind, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { getUser } from '../../accounts/users/index.ts';
import { getPendingCounts, getSiteStats } from './actions.ts';
import { getTotals, listDays, listEssayPlots, listEssays } from './queries/writer.ts';
import { toDay, toEssayFigures, toFigures, toSiteStats } from './views.ts';

const DAY_MS = 86_400_000;

export const routes = [
  bind(calls.getStats, async (ctx, input) => {
    const { id } = requireSignedIn(ctx);
    const from = chinaDayOf(new Date(ctx.now.getTime() - (2 * input.days - 1) * DAY_MS));
    const [user, total, days] = await Promise.all([
      getUser(ctx.db, id),
      getTotals(ctx.db, id),
      listDays(ctx.db, id, from, chinaDayOf(ctx.now)),
    ]);
    return {
      total: { ...toFigures(total), followers: user.followerCount, essays: user.essayCount },
      days: days.slice(-input.days).map(toDay),
      before: days.slice(0, -input.days).map(toDay),
    };
  }),
  bind(calls.listEssayPlots, async (ctx, { ids }) => {
    const authorId = requireSignedIn(ctx).id;
    const from = chinaDayOf(new Date(ctx.now.getTime() - (calls.PLOT_DAYS - 1) * DAY_MS));
    const rows = await listEssayPlots(ctx.db, { authorId, ids, from, to: chinaDayOf(ctx.now) });
    return { list: rows.map(({ id, reads, income }) => ({ id, reads, income })) };
  }),
  bindPage(calls.listEssayStats, toEssayFigures, (ctx, input) =>
    listEssays(ctx.db, { ...input, authorId: requireSignedIn(ctx).id }),
  ),
  bind(calls.getSiteStats, async (ctx, input) => toSiteStats(await getSiteStats(ctx, input))),
  bind(calls.getPendingCounts, getPendingCounts),
];
