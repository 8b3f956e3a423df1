import * as calls from '@mozhan/contract/own-essays.ts';
import { bind, bindOnce } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { countOwnEssays } from '../actions/lists.ts';
import { changeOwnEssays } from '../actions/own-essays.ts';

export const routes = [
  bind(calls.countOwnEssays, (ctx) => countOwnEssays(ctx, requireSignedIn(ctx))),
  // A repeated request changes nothing, so its id is not needed.
  bindOnce(calls.changeOwnEssays, async (ctx, input) => ({
    list: await changeOwnEssays(ctx, requireSignedIn(ctx), input),
  })),
];
