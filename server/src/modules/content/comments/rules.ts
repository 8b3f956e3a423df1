import { EDIT_MINUTES } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Viewer } from '../../../ctx.ts';
import { holds } from '../../../viewer.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { CommentRow } from './tables.ts';

export const MOST_PINNED = 3;

type Standing = Pick<CommentRow, 'status' | 'replyCount'>;

/** Whether a comment has a place in the list of everyone, itself or for the sake of its replies. */
export const isListed = ({ status, replyCount }: Standing): boolean =>
  status === COMMENT_STATUS.shown || replyCount > 0;

export const isWriter = (viewer: Viewer | null, comment: Pick<CommentRow, 'userId'>): boolean =>
  viewer?.id === comment.userId;

/** Whether its text is for the viewer's eyes; where it is not, only its place may be shown. */
export const canRead = (viewer: Viewer | null, comment: Pick<CommentRow, 'status' | 'userId'>): boolean =>
  comment.status === COMMENT_STATUS.shown ||
  (comment.status === COMMENT_STATUS.held && isWriter(viewer, comment));

export const isModerator = (viewer: Viewer | null): boolean => holds(viewer, 'comment:update');

export const isTooLate = (comment: Pick<CommentRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - comment.createdAt.getTime() > EDIT_MINUTES * 60_000;

type Essay = Pick<EssayRow, 'authorId'>;

export const canRemove = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  isWriter(viewer, comment) || viewer?.id === essay.authorId || isModerator(viewer);

export const canPin = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  viewer?.id === essay.authorId && comment.rootId === null && comment.status === COMMENT_STATUS.shown;
