import * as calls from '@mozhan/contract/code-stars.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { getStarRanking, pickStar } from '../actions/code-stars.ts';
import { toStar, toStarPick } from '../views/code-stars.ts';

export const routes = [
  bind(calls.listStars, async (ctx, { range, limit }) => {
    const { ranks, picks, computedAt } = await getStarRanking(ctx, range, limit);
    return {
      range,
      list: ranks.map((row, i) => toStar(row, i, ctx.now)),
      picks: picks.map((row) => toStarPick(row, ctx.now)),
      updatedAt: computedAt?.toISOString() ?? null,
    };
  }),
  bindDone(calls.pickStar, pickStar),
];
