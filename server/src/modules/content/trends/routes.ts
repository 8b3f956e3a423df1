import { listTrends } from '@mozhan/contract/activity.ts';
import { bind } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { listVisibleTrends } from './actions.ts';
import { toTrend } from './views.ts';

export const routes = [
  bind(listTrends, async (ctx, input) => {
    const userId = input.userId ?? signedIn(ctx).id;
    const page = await listVisibleTrends(ctx, userId, input);
    return { ...page, list: page.list.map((row) => toTrend(row, ctx.now)) };
  }),
];
