import * as calls from '@mozhan/contract/rewards.ts';
import { bindPage, bindPrepared } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { listRewards, prepareReply } from '../actions/rewards.ts';
import { toReward } from '../views/rewards.ts';

export const routes = [
  bindPage(calls.listRewards, toReward, (ctx, { essayId, ...query }) => listRewards(ctx, essayId, query)),
  bindPrepared(calls.replyReward, async (ctx, input) => {
    const reply = await prepareReply(ctx, requireSignedIn(ctx), input);
    return async (ctx) => toReward(await reply(ctx), ctx.now);
  }),
];
