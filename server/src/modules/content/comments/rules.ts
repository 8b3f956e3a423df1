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

/** A guest's comment has no writer among the users. */
export const isWriter = (viewer: Viewer | null, comment: Pick<CommentRow, 'userId'>): boolean =>
  viewer !== null && viewer.id === comment.userId;

/** Whether the viewer may read the text; otherwise they see a tombstone at most. */
export const canRead = (viewer: Viewer | null, comment: Pick<CommentRow, 'status' | 'userId'>): boolean =>
  comment.status === COMMENT_STATUS.visible ||
  (comment.status === COMMENT_STATUS.held && isWriter(viewer, comment));

const MAX_GUEST_NAME = 50;
const MAX_GUEST_SITE = 300;
/** Control characters, line separators, and characters that change the direction of the text around them. */
const UNSAFE_IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** An e-mail address given as a name loses its domain, because it is private. */
export function cleanGuestName(name: string): string {
  const text = name.slice(0, 1000).toWellFormed().replace(UNSAFE_IN_NAME, ' ').replace(/\s+/g, ' ').trim();
  const [beforeAt = '', domain = '', ...more] = text.split('@');
  const isAddress = beforeAt !== '' && more.length === 0 && domain.includes('.') && !text.includes(' ');
  return [...(isAddress ? beforeAt : text)].slice(0, MAX_GUEST_NAME).join('').trim() || '匿名';
}

/** Only http and https addresses, without user name and password; otherwise ''. */
export function cleanGuestSite(site: string): string {
  const url = site.length > MAX_GUEST_SITE ? null : URL.parse(site.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  url.username = '';
  url.password = '';
  return url.href.length > MAX_GUEST_SITE ? '' : url.href;
}

export const isModerator = (viewer: Viewer | null): boolean => hasPermission(viewer, 'comment:update');

export const isEditExpired = (comment: Pick<CommentRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - comment.createdAt.getTime() > EDIT_MINUTES * 60_000;

type Essay = Pick<EssayRow, 'authorId'>;

export const canRemove = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  isWriter(viewer, comment) || viewer?.id === essay.authorId || isModerator(viewer);

export const canPin = (viewer: Viewer | null, comment: CommentRow, essay: Essay): boolean =>
  viewer?.id === essay.authorId && comment.rootId === null && comment.status === COMMENT_STATUS.visible;
