import type { Comment, Reply, StaffComment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { GuestCard, UserOrGuestCard } from '@mozhan/contract/users.ts';
import type { Ctx } from '../../../ctx.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import { sharedWords, withBasePath } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { CommentListRow, HiddenCounts, StaffCommentRow } from './queries/lists.ts';
import { canPin, canRead, canRemove, isEditExpired, isWriter } from './rules.ts';

export interface ListContext {
  essay: Pick<EssayRow, 'authorId'>;
  showRegion: boolean;
  liked: ReadonlySet<string>;
  hiddenCounts: HiddenCounts;
  /** Whether the viewer may read the full text, and whether the text is so new that quotes are not located yet. */
  access: { mayReadAll: boolean; isStale: boolean };
}

export const toGuestCard = (displayName: string, site: string): GuestCard => ({
  id: null,
  displayName,
  headImg: '',
  curIdentity: IDENTITY.reader,
  isMember: false,
  title: '',
  site,
});

function toWriterCard(
  { comment, user }: Pick<CommentListRow, 'comment' | 'user'>,
  now: Date,
): UserOrGuestCard | null {
  if (user !== null) return toUserCard(user, now);
  return comment.guestName === null ? null : toGuestCard(comment.guestName, comment.guestSite);
}

function toAddressee({ repliedTo, repliedToGuest }: CommentListRow, now: Date): UserOrGuestCard | null {
  if (repliedTo !== null) return toUserCard(repliedTo, now);
  return repliedToGuest?.name == null ? null : toGuestCard(repliedToGuest.name, repliedToGuest.site);
}

type CommentFields = Omit<Reply, 'cmtId' | 'replyTo'>;

const NO_ACTIONS = { liked: false, canEdit: false, canRemove: false, canPin: false };

/** Stands for a comment that the viewer may not read: no text and no name. */
const toTombstone = ({ comment }: CommentListRow): CommentFields => ({
  id: comment.id,
  essayId: comment.essayId,
  user: null,
  content: '',
  html: '',
  likeCount: 0,
  region: '',
  held: false,
  deleted: true,
  edited: false,
  isAuthor: false,
  createdAt: comment.createdAt.toISOString(),
  mine: NO_ACTIONS,
});

function toCommentFields(
  ctx: Ctx,
  row: CommentListRow,
  { essay, showRegion, liked }: ListContext,
): CommentFields {
  const { comment } = row;
  const { viewer } = ctx;
  if (!canRead(viewer, comment)) return toTombstone(row);
  const isOwn = isWriter(viewer, comment);
  return {
    id: comment.id,
    essayId: comment.essayId,
    user: toWriterCard(row, ctx.now),
    // The writer edits the original text, without masking.
    content: isOwn ? comment.content : (comment.masked ?? comment.content),
    html: withBasePath(comment.html, ctx.services.config),
    likeCount: comment.likeCount,
    region: showRegion ? comment.region : '',
    held: comment.status === COMMENT_STATUS.held,
    deleted: false,
    edited: comment.editedAt !== null,
    isAuthor: comment.userId === essay.authorId,
    createdAt: comment.createdAt.toISOString(),
    mine: {
      liked: liked.has(comment.id),
      canEdit: isOwn && !isEditExpired(comment, ctx.now),
      canRemove: canRemove(viewer, comment, essay),
      canPin: canPin(viewer, comment, essay),
    },
  };
}

export const toReply = (ctx: Ctx, row: CommentListRow, context: ListContext): Reply => ({
  ...toCommentFields(ctx, row, context),
  cmtId: row.comment.rootId ?? row.comment.id,
  replyTo: toAddressee(row, ctx.now),
});

function toQuote(ctx: Ctx, { comment, quoted }: CommentListRow, { access }: ListContext): Comment['quote'] {
  if (quoted === null || !canRead(ctx.viewer, comment)) return null;
  return { ...sharedWords(quoted, access), start: quoted.startAt, end: quoted.endAt };
}

export const toComment = (
  ctx: Ctx,
  row: CommentListRow,
  replies: CommentListRow[],
  context: ListContext,
): Comment => ({
  ...toCommentFields(ctx, row, context),
  quote: toQuote(ctx, row, context),
  replyCount: row.comment.replyCount - (context.hiddenCounts.get(row.comment.id) ?? 0),
  pinned: row.comment.pinned,
  replies: replies.map((reply) => toReply(ctx, reply, context)),
});

export function toStaffComment(ctx: Ctx, { comment, user, essay, quoted }: StaffCommentRow): StaffComment {
  return {
    id: comment.id,
    essay,
    cmtId: comment.rootId,
    user: toWriterCard({ comment, user }, ctx.now),
    content: comment.content,
    html: withBasePath(comment.html, ctx.services.config),
    // Deleted comments are not listed for staff, so this status does not occur.
    status: comment.status === COMMENT_STATUS.deleted ? COMMENT_STATUS.removed : comment.status,
    words: comment.words,
    quote: quoted === null || quoted.state === 'orphaned' ? null : quoted.exact,
    likeCount: comment.likeCount,
    replyCount: comment.replyCount,
    region: comment.region,
    createdAt: comment.createdAt.toISOString(),
  };
}
