import { EDIT_MINUTES } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Viewer } from '../../../ctx.ts';
import { hasPermission } from '../../../viewer.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { CommentRow } from './tables.ts';

export const MAX_PINNED = 3;

type ListingState = Pick<CommentRow, 'status' | 'replyCount'>;

/** Whether a comment is in the public list, as itself or as a tombstone with visible replies. */
export const isListed = ({ status, replyCount }: ListingState): boolean =>
  status === COMMENT_STATUS.visible || replyCount > 0;

export const isWriter = (viewer: Viewer | null, comment: Pick<CommentRow, 'userId'>): boolean =>
  viewer?.id === comment.userId;

/** Whether the viewer may read the text; otherwise they see a tombstone at most. */
export const canRead = (viewer: Viewer | null, comment: Pick<CommentRow, 'status' | 'userId'>): boolean =>
  comment.status === COMMENT_STATUS.visible ||
  (comment.status === COMMENT_STATUS.held && isWriter(viewer, comment));

export const isModerator = (viewer: Viewer | null): boolean => hasPermission(viewer, 'comment:update');

export const isEditExpired = (comment: Pick<CommentRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - comment.createdAt.getTime() > EDIT_MINUTES * 60_000;

type Essay = Pick<EssayRow, 'authorId'>;

export const canRemove = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  isWriter(viewer, comment) || viewer?.id === essay.authorId || isModerator(viewer);

export const canPin = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  viewer?.id === essay.authorId && comment.rootId === null && comment.status === COMMENT_STATUS.visible;
