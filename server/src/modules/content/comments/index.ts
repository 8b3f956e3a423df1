export { type BroughtComment, prepareBroughtComments } from './actions/bring-in.ts';
export { setLiked as likeComment } from './actions/like.ts';
export { releaseComments } from './actions/remove.ts';
export { createComment, createReply, updateComment } from './actions/write.ts';
