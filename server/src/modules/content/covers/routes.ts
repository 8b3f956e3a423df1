import * as calls from '@mozhan/contract/covers.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as actions from './actions.ts';
import { listCovers } from './queries.ts';
import { toCover } from './views.ts';

export const routes = [
  bind(calls.listCovers, async (ctx, input) =>
    input.id === undefined
      ? (await actions.listVisibleCovers(ctx, input.kind)).map(toCover)
      : toCover(await actions.getCover(ctx, input.id)),
  ),
  bind(calls.listAllCovers, async (ctx, input) => (await listCovers(ctx.db, input.kind)).map(toCover)),
  bind(calls.createCover, async (ctx, input) =>
    toCover(await actions.createCover(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.updateCover, async (ctx, input) =>
    toCover(await actions.updateCover(ctx, requireSignedIn(ctx), input)),
  ),
  bindDone(calls.removeCover, (ctx, input) => actions.removeCover(ctx, input.id)),
];
