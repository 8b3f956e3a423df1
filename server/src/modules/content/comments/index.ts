export { type ImportedComment, prepareImportedComments } from './actions/import-comments.ts';
export { setCommentLiked } from './actions/like.ts';
export { purgeComments } from './actions/remove.ts';
export { createComment, createReply, updateComment } from './actions/write.ts';
