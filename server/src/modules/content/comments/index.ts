export { type ImportedComment, prepareImportedComments } from './actions/import-comments.ts';
export {
  type GuestComment,
  importGuestComments,
  prepareGuestComments,
} from './actions/import-guest-comments.ts';
export { setCommentLiked } from './actions/like.ts';
export { purgeComments } from './actions/remove.ts';
export { removeImportedComments } from './actions/undo-import.ts';
export { createComment, createReply, updateComment } from './actions/write.ts';
export { toGuestCard } from './views.ts';
