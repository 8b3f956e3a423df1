import * as calls from '@mozhan/contract/rewards.ts';
import { bind, bindPrepared } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { listRewards, prepareReply } from '../actions/rewards.ts';
import { toReward } from '../views/rewards.ts';

export const routes = [
  bind(calls.listRewards, async (ctx, { essayId, ...query }) => {
    const page = await listRewards(ctx, essayId, query);
    return { ...page, list: page.list.map((row) => toReward(row, ctx.now)) };
  }),
  bindPrepared(calls.replyReward, async (ctx, input) => {
    const reply = await prepareReply(ctx, signedIn(ctx), input);
    return async (ctx) => toReward(await reply(ctx), ctx.now);
  }),
];
