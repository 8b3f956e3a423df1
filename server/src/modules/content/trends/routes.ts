import { listTrends } from '@mozhan/contract/activity.ts';
import { bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { listVisibleTrends } from './actions.ts';
import { toTrend } from './views.ts';

export const routes = [
  bindPage(listTrends, toTrend, (ctx, input) =>
    listVisibleTrends(ctx, input.userId ?? requireSignedIn(ctx).id, input),
  ),
];
