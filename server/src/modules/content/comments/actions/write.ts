import type * as calls from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { isBlocked, requirePhone } from '../../../accounts/users/index.ts';
import { getReadableEssay, linkThought, lockOwnHighlight, updateThought } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import * as queries from '../queries/comments.ts';
import { canPin, canRead, isEditExpired, isModerator, isWriter, MAX_PINNED } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { type CommentThread, changeCommentStatus, publishComment, updateNotices } from './change-status.ts';
import { type PreparedComment, prepareCommentText } from './prepare.ts';

function requireCommentsOn({ services }: Ctx): void {
  if (services.switches.current().comments === 'off')
    throw new CallError('COMMENTS_CLOSED', { message: '本站暂停了评论' });
}

/** Whether staff must see the comment first, whatever words it contains. */
async function needsReview(ctx: Ctx, viewer: Viewer, editedId?: string): Promise<boolean> {
  const { comments, reviewedComments } = ctx.services.switches.current();
  if (isModerator(viewer)) return false;
  if (comments === 'reviewed') return true;
  if (reviewedComments === 0) return false;
  return !(await queries.hasVisible(ctx.db, viewer.id, reviewedComments, editedId));
}

async function prepareScreened(
  ctx: Ctx,
  viewer: Viewer,
  draft: Parameters<typeof prepareCommentText>[2],
  editedId?: string,
): Promise<PreparedComment> {
  const prepared = await prepareCommentText(ctx, viewer, draft);
  return (await needsReview(ctx, viewer, editedId)) ? { ...prepared, status: COMMENT_STATUS.held } : prepared;
}

function requireCommentsOpen(essay: EssayRow): void {
  if (essay.status !== ESSAY_STATUS.onShelf || !essay.allowComment) throw new CallError('COMMENTS_CLOSED');
}

async function requireNotBlocked(ctx: Ctx, viewer: Viewer, ...byIds: (string | null)[]): Promise<void> {
  for (const id of new Set(byIds)) {
    if (id !== null && id !== viewer.id && (await isBlocked(ctx.db, id, viewer.id)))
      throw new CallError('BLOCKED');
  }
}

/** Whom a reply names: nobody if it answers the comment itself. */
const toReplyTo = (target: CommentRow | null) => ({
  replyToUserId: target?.userId ?? null,
  replyToGuestId: target !== null && target.userId === null ? target.id : null,
});

async function insert(
  ctx: Ctx,
  viewer: Viewer,
  prepared: PreparedComment,
  { essay, root }: CommentThread,
  replyTo: Pick<CommentRow, 'replyToUserId' | 'replyToGuestId'>,
  highlightId: string | null = null,
): Promise<string> {
  const comment: CommentRow = {
    ...prepared,
    id: newId(),
    essayId: essay.id,
    rootId: root?.id ?? null,
    userId: viewer.id,
    guestName: null,
    guestSite: '',
    ...replyTo,
    highlightId,
    region: ctx.requester.region,
    pinned: false,
    likeCount: 0,
    replyCount: 0,
    createdAt: ctx.now,
    editedAt: null,
  };
  await queries.insertComment(ctx.db, comment);
  if (comment.status === COMMENT_STATUS.visible) {
    if (root === null) await queries.addToCommentCount(ctx.db, essay.id, 1);
    else await queries.addReplies(ctx.db, root.id, 1);
    await publishComment(ctx, comment, { essay, root });
  }
  if (highlightId !== null) {
    const highlight = { id: highlightId, essayId: essay.id };
    await linkThought(ctx, highlight, {
      commentId: comment.id,
      status: comment.status === COMMENT_STATUS.held ? COMMENT_STATUS.held : COMMENT_STATUS.visible,
      note: prepared.content,
    });
  }
  return comment.id;
}

async function requireHighlightOf(ctx: Ctx, viewer: Viewer, id: string, essayId: string): Promise<void> {
  const highlight = await lockOwnHighlight(ctx, viewer, id);
  if (highlight.essayId !== essayId) throw invalidField('highlightId', '这处划线不属于这篇文章');
}

export async function prepareComment(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, content, mentions, highlightId }: z.output<typeof calls.createComment.input>,
): Promise<Prepared<string>> {
  const { essay } = await getReadableEssay(ctx, essayId);
  requireCommentsOn(ctx);
  requireCommentsOpen(essay);
  await requirePhone(ctx, viewer);
  await requireNotBlocked(ctx, viewer, essay.authorId);
  const prepared = await prepareScreened(ctx, viewer, { content, mentions });
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, essayId);
      requireCommentsOpen(essay);
      if (highlightId !== undefined) await requireHighlightOf(ctx, viewer, highlightId, essayId);
      return insert(ctx, viewer, prepared, { essay, root: null }, toReplyTo(null), highlightId);
    });
}

export const createComment = prepareThenRun(prepareComment);

/** Finds the comment or reply that is replied to, which must be visible to everyone. */
async function getReplyTarget(
  find: (id: string) => Promise<CommentRow>,
  cmtId: string,
  replyToId: string | undefined,
): Promise<{ root: CommentRow; target: CommentRow }> {
  const root = await find(cmtId);
  if (root.rootId !== null) throw queries.commentNotFound();
  if (replyToId === undefined || replyToId === cmtId) return { root, target: queries.requireVisible(root) };
  const target = await find(replyToId);
  if (target.rootId !== root.id) throw queries.commentNotFound();
  return { root, target: queries.requireVisible(target) };
}

export async function prepareReply(
  ctx: Ctx,
  viewer: Viewer,
  { cmtId, replyToId, content, mentions }: z.output<typeof calls.createReply.input>,
): Promise<Prepared<string>> {
  const { root, target } = await getReplyTarget((id) => queries.getComment(ctx.db, id), cmtId, replyToId);
  const { essay } = await getReadableEssay(ctx, root.essayId);
  requireCommentsOn(ctx);
  requireCommentsOpen(essay);
  await requirePhone(ctx, viewer);
  await requireNotBlocked(ctx, viewer, essay.authorId, target.userId);
  const prepared = await prepareScreened(ctx, viewer, { content, mentions });
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, root.essayId);
      requireCommentsOpen(essay);
      const lock = (id: string) => queries.lockComment(ctx.db, id);
      const now = await getReplyTarget(lock, cmtId, replyToId);
      const named = now.target.id === now.root.id ? null : now.target;
      return insert(ctx, viewer, prepared, { essay, root: now.root }, toReplyTo(named));
    });
}

export const createReply = prepareThenRun(prepareReply);

function requireEditable(ctx: Ctx, viewer: Viewer, comment: CommentRow): void {
  if (comment.status === COMMENT_STATUS.deleted || comment.status === COMMENT_STATUS.removed)
    throw new CallError('GONE');
  if (!canRead(viewer, comment)) throw queries.commentNotFound();
  if (!isWriter(viewer, comment)) throw new CallError('FORBIDDEN', { message: '只能修改自己的评论' });
  if (isEditExpired(comment, ctx.now)) throw new CallError('EDIT_TOO_LATE');
}

async function edit(ctx: Ctx, viewer: Viewer, before: CommentRow, prepared: PreparedComment): Promise<void> {
  const essay = await queries.lockEssay(ctx.db, before.essayId);
  const root = before.rootId === null ? null : await queries.lockComment(ctx.db, before.rootId);
  const comment = await queries.lockComment(ctx.db, before.id);
  requireEditable(ctx, viewer, comment);
  if (prepared.content === comment.content) return;
  const { status, ...text } = prepared;
  const edited = { ...comment, ...text, editedAt: ctx.now };
  await queries.updateComment(ctx.db, comment.id, { ...text, editedAt: ctx.now });
  if (comment.highlightId !== null) await updateThought(ctx, essay.id, comment.id, { note: text.content });
  const thread = { essay, root };
  if (status !== comment.status) {
    // Notices are removed by the mentions of the old text and sent by those of the new one.
    await changeCommentStatus(ctx, status === COMMENT_STATUS.visible ? edited : comment, thread, status);
  } else if (status !== COMMENT_STATUS.held) {
    await updateNotices(ctx, comment, edited, thread);
  }
}

async function pin(ctx: Ctx, viewer: Viewer, before: CommentRow, pinned: boolean): Promise<void> {
  const essay = await queries.lockEssay(ctx.db, before.essayId);
  const comment = queries.requireVisible(await queries.lockComment(ctx.db, before.id));
  if (!canPin(viewer, comment, essay))
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以置顶评论' });
  if (comment.pinned === pinned) return;
  if (pinned && (await queries.countPinned(ctx.db, essay.id)) >= MAX_PINNED)
    throw new CallError('TOO_MANY_PINNED');
  await queries.updateComment(ctx.db, comment.id, { pinned });
}

export async function prepareUpdate(
  ctx: Ctx,
  viewer: Viewer,
  { id, content, mentions, pinned }: z.output<typeof calls.updateComment.input>,
): Promise<Prepared<void>> {
  if (content === undefined && pinned === undefined) throw invalidField('content', '请写点什么');
  const comment = await queries.getComment(ctx.db, id);
  await getReadableEssay(ctx, comment.essayId);
  let prepared: PreparedComment | null = null;
  if (content !== undefined) {
    requireEditable(ctx, viewer, comment);
    requireCommentsOn(ctx);
    await requirePhone(ctx, viewer);
    const draft = { content, mentions: mentions ?? comment.mentions };
    prepared = await prepareScreened(ctx, viewer, draft, id);
  }
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      if (prepared !== null) await edit(ctx, viewer, comment, prepared);
      if (pinned !== undefined) await pin(ctx, viewer, comment, pinned);
    });
}

export const updateComment = prepareThenRun(prepareUpdate);
