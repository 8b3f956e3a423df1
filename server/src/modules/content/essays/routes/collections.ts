import * as calls from '@mozhan/contract/collections.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import {
  collectEssay,
  listVisibleCollected,
  moveCollectedEssays,
  uncollectEssay,
} from '../actions/collect.ts';
import { createFolder, listVisibleFolders, removeFolder, updateFolder } from '../actions/folders.ts';
import { toFolder } from '../views/collections.ts';

export const routes = [
  bind(calls.collectEssay, (ctx, input) => collectEssay(ctx, requireSignedIn(ctx), input)),
  bind(calls.uncollectEssay, (ctx, { essayId }) => uncollectEssay(ctx, requireSignedIn(ctx), essayId)),
  bindDone(calls.moveCollectedEssays, (ctx, input) => moveCollectedEssays(ctx, requireSignedIn(ctx), input)),
  bind(calls.listCollectedEssays, (ctx, { userId, ...query }) =>
    listVisibleCollected(ctx, userId ?? requireSignedIn(ctx).id, query),
  ),
  bind(calls.listFolders, async (ctx, { userId, id }) =>
    (await listVisibleFolders(ctx, { userId, id })).map((each) => toFolder(each, ctx.now)),
  ),
  bind(calls.createFolder, async (ctx, input) =>
    toFolder(await createFolder(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bind(calls.updateFolder, async (ctx, input) =>
    toFolder(await updateFolder(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bindDone(calls.removeFolder, (ctx, input) => removeFolder(ctx, requireSignedIn(ctx), input)),
];
