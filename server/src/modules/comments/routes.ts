import * as calls from '#contract/comments.ts';
import { bind, DONE } from '../../http/route.ts';
import { signedIn } from '../../http/viewer.ts';
import { setLiked } from './actions/like.ts';
import * as lists from './actions/list.ts';
import { preview } from './actions/prepare.ts';
import { removeComment, updateStatus } from './actions/remove.ts';
import { createComment, createReply, updateComment } from './actions/write.ts';

export const routes = [
  bind(calls.listComments, lists.listComments),
  bind(calls.createComment, async (ctx, input) =>
    lists.showThread(ctx, await createComment(ctx, signedIn(ctx), input)),
  ),
  bind(calls.updateComment, async (ctx, input) => {
    await updateComment(ctx, signedIn(ctx), input);
    return lists.showSaid(ctx, input.id);
  }),
  bind(calls.removeComment, async (ctx, input) => {
    await removeComment(ctx, signedIn(ctx), input);
    return DONE;
  }),
  bind(calls.likeComment, (ctx, input) => setLiked(ctx, signedIn(ctx), input.id, true)),
  bind(calls.unlikeComment, (ctx, input) => setLiked(ctx, signedIn(ctx), input.id, false)),
  bind(calls.listReplies, lists.listReplies),
  bind(calls.createReply, async (ctx, input) =>
    lists.showReply(ctx, await createReply(ctx, signedIn(ctx), input)),
  ),
  bind(calls.removeReply, async (ctx, input) => {
    await removeComment(ctx, signedIn(ctx), input);
    return DONE;
  }),
  bind(calls.previewComment, (ctx, input) => preview(ctx, signedIn(ctx), input)),
  bind(calls.listStaffComments, lists.listForStaff),
  bind(calls.updateStaffComment, async (ctx, input) => {
    await updateStatus(ctx, input);
    return lists.showToStaff(ctx, input.id);
  }),
];
