import type { Comment, Reply, StaffComment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../ctx.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import { atBase } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { SaidRow, StaffRow, Unseen } from './queries/lists.ts';
import { canPin, canRead, canRemove, isTooLate, isWriter } from './rules.ts';

/** What is needed around the rows of a list. */
export interface Setting {
  essay: Pick<EssayRow, 'authorId'>;
  showRegion: boolean;
  /** What of them the viewer likes. */
  liked: ReadonlySet<string>;
  unseen: Unseen;
}

type Said = Omit<Reply, 'cmtId' | 'replyTo'>;

const NOTHING = { liked: false, canEdit: false, canRemove: false, canPin: false };

/** Where something stood that is not for the viewer. */
const toPlace = ({ comment }: SaidRow): Said => ({
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
  mine: NOTHING,
});

function toSaid(ctx: Ctx, row: SaidRow, { essay, showRegion, liked }: Setting): Said {
  const { comment, user } = row;
  const { viewer } = ctx;
  if (!canRead(viewer, comment)) return toPlace(row);
  const isOwn = isWriter(viewer, comment);
  return {
    id: comment.id,
    essayId: comment.essayId,
    user: toUserCard(user, ctx.now),
    // Whoever wrote it changes it as it was written.
    content: isOwn ? comment.content : (comment.masked ?? comment.content),
    html: atBase(comment.html, ctx.services.config),
    likeCount: comment.likeCount,
    region: showRegion ? comment.region : '',
    held: comment.status === COMMENT_STATUS.held,
    deleted: false,
    edited: comment.editedAt !== null,
    isAuthor: comment.userId === essay.authorId,
    createdAt: comment.createdAt.toISOString(),
    mine: {
      liked: liked.has(comment.id),
      canEdit: isOwn && !isTooLate(comment, ctx.now),
      canRemove: canRemove(viewer, comment, essay),
      canPin: canPin(viewer, comment, essay),
    },
  };
}

export const toReply = (ctx: Ctx, row: SaidRow, setting: Setting): Reply => ({
  ...toSaid(ctx, row, setting),
  cmtId: row.comment.rootId ?? row.comment.id,
  replyTo: row.answered === null ? null : toUserCard(row.answered, ctx.now),
});

export const toComment = (ctx: Ctx, row: SaidRow, replies: SaidRow[], setting: Setting): Comment => ({
  ...toSaid(ctx, row, setting),
  replyCount: row.comment.replyCount - (setting.unseen.get(row.comment.id) ?? 0),
  pinned: row.comment.pinned,
  replies: replies.map((reply) => toReply(ctx, reply, setting)),
});

export function toStaffComment(ctx: Ctx, { comment, user, essay }: StaffRow): StaffComment {
  return {
    id: comment.id,
    essay,
    cmtId: comment.rootId,
    user: toUserCard(user, ctx.now),
    content: comment.content,
    html: atBase(comment.html, ctx.services.config),
    // What was deleted is not for staff either.
    status: comment.status === COMMENT_STATUS.deleted ? COMMENT_STATUS.removed : comment.status,
    words: comment.words,
    likeCount: comment.likeCount,
    replyCount: comment.replyCount,
    region: comment.region,
    createdAt: comment.createdAt.toISOString(),
  };
}
