import * as calls from '@mozhan/contract/collections.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { collectEssay, listVisibleCollected, moveCollected, uncollectEssay } from '../actions/collect.ts';
import { createFolder, listVisibleFolders, removeFolder, updateFolder } from '../actions/folders.ts';
import { toFolder } from '../views/collections.ts';

export const routes = [
  bind(calls.collectEssay, (ctx, input) => collectEssay(ctx, signedIn(ctx), input)),
  bind(calls.uncollectEssay, (ctx, { essayId }) => uncollectEssay(ctx, signedIn(ctx), essayId)),
  bindDone(calls.moveCollected, (ctx, input) => moveCollected(ctx, signedIn(ctx), input)),
  bind(calls.listCollected, (ctx, { userId, ...query }) =>
    listVisibleCollected(ctx, userId ?? signedIn(ctx).id, query),
  ),
  bind(calls.listFolders, async (ctx, { userId, id }) =>
    (await listVisibleFolders(ctx, { userId, id })).map((each) => toFolder(each, ctx.now)),
  ),
  bind(calls.createFolder, async (ctx, input) =>
    toFolder(await createFolder(ctx, signedIn(ctx), input), ctx.now),
  ),
  bind(calls.updateFolder, async (ctx, input) =>
    toFolder(await updateFolder(ctx, signedIn(ctx), input), ctx.now),
  ),
  bindDone(calls.removeFolder, (ctx, input) => removeFolder(ctx, signedIn(ctx), input)),
];
