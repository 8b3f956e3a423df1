import * as calls from '@mozhan/contract/comments.ts';
import { bind, bindDone, bindPrepared } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { setCommentLiked } from './actions/like.ts';
import * as lists from './actions/list.ts';
import { previewComment } from './actions/prepare.ts';
import { removeComment, updateCommentStatus } from './actions/remove.ts';
import { prepareComment, prepareReply, prepareUpdate } from './actions/write.ts';

export const routes = [
  bind(calls.listComments, lists.listComments),
  bindPrepared(calls.createComment, async (ctx, input) => {
    const create = await prepareComment(ctx, requireSignedIn(ctx), input);
    return async (ctx) => lists.getThread(ctx, await create(ctx));
  }),
  bindPrepared(calls.updateComment, async (ctx, input) => {
    const update = await prepareUpdate(ctx, requireSignedIn(ctx), input);
    return async (ctx) => {
      await update(ctx);
      return lists.getCommentOrReply(ctx, input.id);
    };
  }),
  bindDone(calls.removeComment, (ctx, input) => removeComment(ctx, requireSignedIn(ctx), input)),
  bind(calls.likeComment, (ctx, input) => setCommentLiked(ctx, requireSignedIn(ctx), input.id, true)),
  bind(calls.unlikeComment, (ctx, input) => setCommentLiked(ctx, requireSignedIn(ctx), input.id, false)),
  bind(calls.listReplies, lists.listReplies),
  bindPrepared(calls.createReply, async (ctx, input) => {
    const create = await prepareReply(ctx, requireSignedIn(ctx), input);
    return async (ctx) => lists.getReply(ctx, await create(ctx));
  }),
  bindDone(calls.removeReply, (ctx, input) => removeComment(ctx, requireSignedIn(ctx), input)),
  bind(calls.previewComment, (ctx, input) => previewComment(ctx, requireSignedIn(ctx), input)),
  bind(calls.listThoughts, lists.listThoughts),
  bind(calls.listStaffComments, lists.listForStaff),
  bind(calls.updateStaffComment, async (ctx, input) => {
    await updateCommentStatus(ctx, input);
    return lists.getStaffComment(ctx, input.id);
  }),
];
