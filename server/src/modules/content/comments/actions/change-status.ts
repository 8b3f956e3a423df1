import { COMMENT_STATUS, ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, invalidate } from '../../../../ctx.ts';
import { hasTrendSince, recordTrend, removeTrends } from '../../../accounts/activity/index.ts';
import {
  getUser,
  lockInboxes,
  type NewNotice,
  notify,
  removeNotices,
  updateExcerpts,
} from '../../../accounts/users/index.ts';
import { emitWebhook, toPublicUrl } from '../../../accounts/webhooks/index.ts';
import { startOf, toPlainText } from '../../../platform/text/index.ts';
import { addToEssayCounters, essayPathOf, unlinkThought, updateThought } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import * as queries from '../queries/comments.ts';
import { removeLikesOf } from '../queries/likes.ts';
import { isListed } from '../rules.ts';
import type { CommentRow } from '../tables.ts';

const DAY_MS = 24 * 60 * 60_000;
const EXCERPT_LENGTH = 100;

export interface CommentThread {
  essay: EssayRow;
  root: CommentRow | null;
}

/** Nobody is notified of what a guest wrote, and guests have no trends. */
type UserComment = CommentRow & { userId: string };
type Recipient = Pick<NewNotice, 'userId' | 'kind' | 'text' | 'groupId'>;
const isByUser = (comment: CommentRow): comment is UserComment => comment.userId !== null;

export const toNoticeTarget = (essay: EssayRow, commentId: string) => ({
  id: commentId,
  title: essay.title,
  url: `${essayPathOf(essay)}#cmt-${commentId}`,
});

/** The user who is told first; null for a reply to a guest. */
function getFirstRecipient(comment: CommentRow, { essay, root }: CommentThread): Recipient | null {
  if (root === null)
    return { userId: essay.authorId, kind: 'comment', text: '评论了你的文章', groupId: essay.id };
  const userId = comment.replyToGuestId === null ? (comment.replyToUserId ?? root.userId) : null;
  return userId === null ? null : { userId, kind: 'reply', text: '回复了你在《》下的评论', groupId: root.id };
}

/** The users to notify, each once: the one who is replied to, then those who are mentioned. */
function getRecipients(comment: UserComment, thread: CommentThread): Recipient[] {
  const first = getFirstRecipient(comment, thread);
  const mentioned = comment.mentions.map((userId) => ({
    userId,
    kind: 'mention' as const,
    text: '在《》的评论中提到了你',
    groupId: comment.essayId,
  }));
  return [
    ...(first === null ? [] : [first]),
    ...mentioned.filter(({ userId }) => userId !== first?.userId),
  ].filter(({ userId }) => userId !== comment.userId);
}

/** Locks the inboxes of the recipients and the writer together, to avoid a deadlock. */
export async function lockRecipientInboxes(
  ctx: Ctx,
  comment: CommentRow,
  thread: CommentThread,
): Promise<void> {
  if (isByUser(comment))
    await lockInboxes(ctx, [comment.userId, ...getRecipients(comment, thread).map(({ userId }) => userId)]);
}

const excerptOf = (comment: CommentRow) => startOf(toPlainText(comment.html), EXCERPT_LENGTH);

/** Off the shelf, the title may be that of an unpublished draft, so nobody is notified. */
async function notifyRecipients(
  ctx: Ctx,
  comment: UserComment,
  { essay }: CommentThread,
  recipients: readonly Recipient[],
): Promise<void> {
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  const target = toNoticeTarget(essay, comment.id);
  const excerpt = excerptOf(comment);
  await notify(ctx, ...recipients.map((each) => ({ ...each, actorId: comment.userId, target, excerpt })));
}

const toNoticeKeys = (comment: UserComment, recipients: readonly Recipient[]) =>
  recipients.map(({ userId, kind }) => ({ userId, kind, actorId: comment.userId, targetId: comment.id }));

/** After an edit: removes the notices of users no longer mentioned and updates the excerpts of the others. */
export async function updateNotices(
  ctx: Ctx,
  before: CommentRow,
  after: CommentRow,
  thread: CommentThread,
): Promise<void> {
  if (!isByUser(before) || !isByUser(after)) return;
  const [previous, current] = [getRecipients(before, thread), getRecipients(after, thread)];
  const includes = (recipients: typeof previous, userId: string) =>
    recipients.some((each) => each.userId === userId);
  await lockInboxes(
    ctx,
    [...previous, ...current].map(({ userId }) => userId),
  );
  const dropped = previous.filter(({ userId }) => !includes(current, userId));
  const kept = previous.filter(({ userId }) => includes(current, userId));
  const added = current.filter(({ userId }) => !includes(previous, userId));
  await removeNotices(ctx, toNoticeKeys(after, dropped));
  await updateExcerpts(ctx, toNoticeKeys(after, kept), excerptOf(after));
  await notifyRecipients(ctx, after, thread, added);
}

const toTrend = (comment: UserComment) => ({
  userId: comment.userId,
  type: comment.rootId === null ? TREND_TYPE.comment : TREND_TYPE.reply,
  targetId: comment.essayId,
});

/** Counts a comment that became visible, records the trend and sends notices and webhook events. */
export async function publishComment(ctx: Ctx, comment: CommentRow, thread: CommentThread): Promise<void> {
  await addToEssayCounters(ctx, [{ essayId: comment.essayId, cmts: 1 }]);
  if (!isByUser(comment)) return;
  const trend = toTrend(comment);
  // At most one trend per user, essay and day.
  if (!(await hasTrendSince(ctx, trend, new Date(ctx.now.getTime() - DAY_MS)))) {
    await recordTrend(ctx, { ...trend, targetKind: 'essay' });
    invalidate(ctx, `trend:${comment.userId}`);
  }
  await notifyRecipients(ctx, comment, thread, getRecipients(comment, thread));
  await emitCreated(ctx, comment, thread);
}

async function emitCreated(ctx: Ctx, comment: UserComment, { essay }: CommentThread): Promise<void> {
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  await emitWebhook(ctx, 'comment.created', async () => {
    const { displayName } = await getUser(ctx.db, comment.userId);
    const { url } = toNoticeTarget(essay, comment.id);
    return [
      {
        id: comment.id,
        cmtId: comment.rootId,
        url: toPublicUrl(ctx, url),
        essay: { id: essay.id, title: essay.title },
        author: displayName,
        excerpt: excerptOf(comment),
        createdAt: comment.createdAt.toISOString(),
      },
    ];
  });
}

async function unpublishComment(ctx: Ctx, comment: CommentRow, thread: CommentThread): Promise<void> {
  await addToEssayCounters(ctx, [{ essayId: comment.essayId, cmts: -1 }]);
  if (!isByUser(comment)) return;
  if (!(await queries.hasOtherVisible(ctx.db, comment))) {
    await removeTrends(ctx, [toTrend(comment)]);
    invalidate(ctx, `trend:${comment.userId}`);
  }
  await removeNotices(ctx, toNoticeKeys(comment, getRecipients(comment, thread)));
}

/** Fields of a deleted comment that stays because it has replies. */
const TOMBSTONE: Partial<CommentRow> = {
  status: COMMENT_STATUS.deleted,
  content: '',
  masked: null,
  html: '',
  words: [],
  mentions: [],
  highlightId: null,
  region: '',
  pinned: false,
  guestSite: '',
  likeCount: 0,
  editedAt: null,
};

async function applyCommentStatus(ctx: Ctx, comment: CommentRow, to: CommentRow['status']): Promise<boolean> {
  if (to !== COMMENT_STATUS.deleted) {
    await queries.updateComment(ctx.db, comment.id, {
      status: to,
      pinned: comment.pinned && to === COMMENT_STATUS.visible,
    });
  } else if (await queries.hasReplies(ctx.db, comment.id)) {
    await removeLikesOf(ctx.db, comment.id);
    await queries.updateComment(ctx.db, comment.id, {
      ...TOMBSTONE,
      ...(comment.guestName !== null && { guestName: '' }),
    });
  } else {
    await queries.removeComment(ctx.db, comment.id);
  }
  return isListed({ status: to, replyCount: comment.replyCount });
}

async function applyReplyStatus(
  ctx: Ctx,
  reply: CommentRow,
  root: CommentRow,
  to: CommentRow['status'],
): Promise<boolean> {
  if (to === COMMENT_STATUS.deleted) await queries.removeComment(ctx.db, reply.id);
  else await queries.updateComment(ctx.db, reply.id, { status: to });
  const by = Number(to === COMMENT_STATUS.visible) - Number(reply.status === COMMENT_STATUS.visible);
  const after = { status: root.status, replyCount: root.replyCount + by };
  // A tombstone is deleted with its last reply, including replies that only staff see.
  const isNeeded = after.status !== COMMENT_STATUS.deleted || (await queries.hasReplies(ctx.db, root.id));
  if (isNeeded) await queries.addReplies(ctx.db, root.id, by);
  else await queries.removeComment(ctx.db, root.id);
  return isListed(after);
}

/** Changes the status of a comment or reply with its counters, trends and notices. The essay must be locked. */
export async function changeCommentStatus(
  ctx: Ctx,
  comment: CommentRow,
  thread: CommentThread,
  to: CommentRow['status'],
): Promise<void> {
  const { root } = thread;
  const wasListed = isListed(root ?? comment);
  const isStillListed =
    root === null
      ? await applyCommentStatus(ctx, comment, to)
      : await applyReplyStatus(ctx, comment, root, to);
  await queries.addToCommentCount(ctx.db, comment.essayId, Number(isStillListed) - Number(wasListed));
  if (comment.highlightId !== null) {
    if (to === COMMENT_STATUS.deleted) await unlinkThought(ctx, comment.essayId, comment.id);
    else await updateThought(ctx, comment.essayId, comment.id, { status: to });
  }
  if (to === COMMENT_STATUS.visible && comment.status !== COMMENT_STATUS.visible)
    await publishComment(ctx, comment, thread);
  if (to !== COMMENT_STATUS.visible && comment.status === COMMENT_STATUS.visible)
    await unpublishComment(ctx, comment, thread);
}
