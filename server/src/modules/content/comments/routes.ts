import * as calls from '@mozhan/contract/comments.ts';
import { bind, bindDone, bindPrepared } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { setLiked } from './actions/like.ts';
import * as lists from './actions/list.ts';
import { preview } from './actions/prepare.ts';
import { removeComment, updateStatus } from './actions/remove.ts';
import { prepareComment, prepareReply, prepareUpdate } from './actions/write.ts';

export const routes = [
  bind(calls.listComments, lists.listComments),
  bindPrepared(calls.createComment, async (ctx, input) => {
    const create = await prepareComment(ctx, signedIn(ctx), input);
    return async (ctx) => lists.showThread(ctx, await create(ctx));
  }),
  bindPrepared(calls.updateComment, async (ctx, input) => {
    const update = await prepareUpdate(ctx, signedIn(ctx), input);
    return async (ctx) => {
      await update(ctx);
      return lists.showSaid(ctx, input.id);
    };
  }),
  bindDone(calls.removeComment, (ctx, input) => removeComment(ctx, signedIn(ctx), input)),
  bind(calls.likeComment, (ctx, input) => setLiked(ctx, signedIn(ctx), input.id, true)),
  bind(calls.unlikeComment, (ctx, input) => setLiked(ctx, signedIn(ctx), input.id, false)),
  bind(calls.listReplies, lists.listReplies),
  bindPrepared(calls.createReply, async (ctx, input) => {
    const create = await prepareReply(ctx, signedIn(ctx), input);
    return async (ctx) => lists.showReply(ctx, await create(ctx));
  }),
  bindDone(calls.removeReply, (ctx, input) => removeComment(ctx, signedIn(ctx), input)),
  bind(calls.previewComment, (ctx, input) => preview(ctx, signedIn(ctx), input)),
  bind(calls.listStaffComments, lists.listForStaff),
  bind(calls.updateStaffComment, async (ctx, input) => {
    await updateStatus(ctx, input);
    return lists.showToStaff(ctx, input.id);
  }),
];
