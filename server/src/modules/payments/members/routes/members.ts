import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/members.ts';
import { bind, bindDone, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import * as actions from '../actions/members.ts';
import { listMembers } from '../queries/members.ts';
import { toMember, toOwnMembership, toPlan, toTerm } from '../views/members.ts';

export const routes = [
  bind(calls.getMembership, async (ctx, { all }) => {
    const { plans, mine } = await actions.getMembership(ctx, all === FLAG.on);
    return { plans: plans.map(toPlan), mine: mine === null ? null : toOwnMembership(mine, ctx.now) };
  }),
  bind(calls.createPlan, async (ctx, input) => toPlan(await actions.createPlan(ctx, input))),
  bind(calls.updatePlan, async (ctx, input) => toPlan(await actions.updatePlan(ctx, input))),
  bindDone(calls.removePlan, (ctx, { id }) => actions.removePlan(ctx, id)),
  bindPage(calls.listTerms, toTerm, async (ctx, { userId, ...query }) => {
    const viewer = requireSignedIn(ctx);
    return actions.listTerms(ctx, viewer, userId ?? viewer.id, query);
  }),
  bindPage(calls.listMembers, toMember, async (ctx, { expired, order, ...query }) => {
    const [isExpired, isDescending] = [expired === FLAG.on, order !== SORT_ORDER.ascending];
    return listMembers(ctx.db, { ...query, isExpired, isDescending, now: ctx.now });
  }),
  bind(calls.grantMembership, async (ctx, input) =>
    toMember(await actions.grantMembership(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
];
