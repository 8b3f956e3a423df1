import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/members.ts';
import { bind, DONE } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import * as actions from '../actions/members.ts';
import { listMembers } from '../queries/members.ts';
import { toMember, toMine, toPlan, toTerm } from '../views/members.ts';

export const routes = [
  bind(calls.getMembership, async (ctx, { all }) => {
    const { plans, mine } = await actions.getMembership(ctx, all === FLAG.on);
    return { plans: plans.map(toPlan), mine: mine === null ? null : toMine(mine, ctx.now) };
  }),
  bind(calls.createPlan, async (ctx, input) => toPlan(await actions.createPlan(ctx, input))),
  bind(calls.updatePlan, async (ctx, input) => toPlan(await actions.updatePlan(ctx, input))),
  bind(calls.removePlan, async (ctx, { id }) => {
    await actions.removePlan(ctx, id);
    return DONE;
  }),
  bind(calls.listTerms, async (ctx, { userId, ...query }) => {
    const viewer = signedIn(ctx);
    const page = await actions.listTerms(ctx, viewer, userId ?? viewer.id, query);
    return { ...page, list: page.list.map((row) => toTerm(row, ctx.now)) };
  }),
  bind(calls.listMembers, async (ctx, { expired, order, ...query }) => {
    const [isExpired, isDescending] = [expired === FLAG.on, order !== SORT_ORDER.ascending];
    const page = await listMembers(ctx.db, { ...query, isExpired, isDescending, now: ctx.now });
    return { ...page, list: page.list.map((row) => toMember(row, ctx.now)) };
  }),
  bind(calls.grantMembership, async (ctx, input) =>
    toMember(await actions.grantMembership(ctx, signedIn(ctx), input), ctx.now),
  ),
];
