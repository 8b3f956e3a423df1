import { APPLICATION_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/experts.ts';
import { bind, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { applyAsExpert, decideApplication } from '../actions/experts.ts';
import { findLatestApplication, listForStaff } from '../queries/experts.ts';
import { toApplication, toStaffApplication } from '../views/experts.ts';

export const routes = [
  bind(calls.getApplication, async (ctx) => {
    const application = await findLatestApplication(ctx.db, requireSignedIn(ctx).id);
    return application === null ? null : toApplication(application);
  }),
  bind(calls.applyAsExpert, async (ctx, input) =>
    toApplication(await applyAsExpert(ctx, requireSignedIn(ctx), input)),
  ),
  bindPage(calls.listApplications, toStaffApplication, async (ctx, { order, ...query }) => {
    // Waiting applications are sorted oldest first by default.
    const isDescending =
      order === undefined ? query.status !== APPLICATION_STATUS.waiting : order === SORT_ORDER.descending;
    return listForStaff(ctx.db, { ...query, isDescending });
  }),
  bind(calls.decideApplication, async (ctx, input) =>
    toStaffApplication(await decideApplication(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
];
