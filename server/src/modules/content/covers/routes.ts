import * as calls from '@mozhan/contract/covers.ts';
import type { Ctx } from '../../../ctx.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as actions from './actions.ts';
import { listCovers, listLargePictures } from './queries.ts';
import type { Cover } from './tables.ts';
import { toCover } from './views.ts';

async function viewAll(ctx: Ctx, covers: Cover[]) {
  const images = covers.map(({ image }) => image);
  const pictures = await listLargePictures(ctx.db, images);
  return covers.map((cover) => toCover(cover, pictures));
}

const view = async (ctx: Ctx, cover: Cover) => toCover(cover, await listLargePictures(ctx.db, [cover.image]));

export const routes = [
  bind(calls.listCovers, async (ctx, input) =>
    input.id === undefined
      ? viewAll(ctx, await actions.listVisibleCovers(ctx, input.kind))
      : view(ctx, await actions.getCover(ctx, input.id)),
  ),
  bind(calls.listAllCovers, async (ctx, input) => viewAll(ctx, await listCovers(ctx.db, input.kind))),
  bind(calls.createCover, async (ctx, input) =>
    view(ctx, await actions.createCover(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.updateCover, async (ctx, input) =>
    view(ctx, await actions.updateCover(ctx, requireSignedIn(ctx), input)),
  ),
  bindDone(calls.removeCover, (ctx, input) => actions.removeCover(ctx, input.id)),
];
