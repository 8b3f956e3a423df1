import type * as calls from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared as Rest, whole } from '../../../../prepared.ts';
import { isBlocked, requirePhone } from '../../../accounts/users/index.ts';
import { getReadable } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import * as queries from '../queries/comments.ts';
import { canPin, canRead, isTooLate, isWriter, MOST_PINNED } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { type Prepared, prepare } from './prepare.ts';
import { appear, changeStanding, retell, type Thread } from './standing.ts';

function requireOpen(essay: EssayRow): void {
  if (essay.status !== ESSAY_STATUS.onShelf || !essay.allowComment) throw new CallError('COMMENTS_CLOSED');
}

async function requireWelcome(ctx: Ctx, viewer: Viewer, ...byIds: string[]): Promise<void> {
  for (const id of new Set(byIds)) {
    if (id !== viewer.id && (await isBlocked(ctx.db, id, viewer.id))) throw new CallError('BLOCKED');
  }
}

async function insert(
  ctx: Ctx,
  viewer: Viewer,
  prepared: Prepared,
  { essay, root }: Thread,
  replyToUserId: string | null,
): Promise<string> {
  const comment: CommentRow = {
    ...prepared,
    id: newId(),
    essayId: essay.id,
    rootId: root?.id ?? null,
    userId: viewer.id,
    replyToUserId,
    region: ctx.asker.region,
    pinned: false,
    likeCount: 0,
    replyCount: 0,
    createdAt: ctx.now,
    editedAt: null,
  };
  await queries.insertComment(ctx.db, comment);
  if (comment.status === COMMENT_STATUS.shown) {
    if (root === null) await queries.addToList(ctx.db, essay.id, 1);
    else await queries.addReplies(ctx.db, root.id, 1);
    await appear(ctx, comment, { essay, root });
  }
  return comment.id;
}

export async function prepareComment(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, content, mentions }: z.output<typeof calls.createComment.input>,
): Promise<Rest<string>> {
  const { essay } = await getReadable(ctx, essayId);
  requireOpen(essay);
  await requirePhone(ctx, viewer);
  await requireWelcome(ctx, viewer, essay.authorId);
  const prepared = await prepare(ctx, viewer, { content, mentions });
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, essayId);
      requireOpen(essay);
      return insert(ctx, viewer, prepared, { essay, root: null }, null);
    });
}

export const createComment = whole(prepareComment);

/** What is answered: the comment, or one of its replies. It must be there for everyone. */
async function getAnswered(
  find: (id: string) => Promise<CommentRow>,
  cmtId: string,
  replyToId: string | undefined,
): Promise<{ root: CommentRow; answered: CommentRow }> {
  const root = await find(cmtId);
  if (root.rootId !== null) throw queries.noComment();
  if (replyToId === undefined || replyToId === cmtId) return { root, answered: queries.shown(root) };
  const answered = await find(replyToId);
  if (answered.rootId !== root.id) throw queries.noComment();
  return { root, answered: queries.shown(answered) };
}

export async function prepareReply(
  ctx: Ctx,
  viewer: Viewer,
  { cmtId, replyToId, content, mentions }: z.output<typeof calls.createReply.input>,
): Promise<Rest<string>> {
  const { root, answered } = await getAnswered((id) => queries.getComment(ctx.db, id), cmtId, replyToId);
  const { essay } = await getReadable(ctx, root.essayId);
  requireOpen(essay);
  await requirePhone(ctx, viewer);
  await requireWelcome(ctx, viewer, essay.authorId, answered.userId);
  const prepared = await prepare(ctx, viewer, { content, mentions });
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, root.essayId);
      requireOpen(essay);
      const lock = (id: string) => queries.lockComment(ctx.db, id);
      const now = await getAnswered(lock, cmtId, replyToId);
      const replyToUserId = now.answered.id === now.root.id ? null : now.answered.userId;
      return insert(ctx, viewer, prepared, { essay, root: now.root }, replyToUserId);
    });
}

export const createReply = whole(prepareReply);

/** Somebody else's is refused, or not there at all when it is not theirs to see. */
function requireEditable(ctx: Ctx, viewer: Viewer, comment: CommentRow): void {
  if (comment.status === COMMENT_STATUS.deleted || comment.status === COMMENT_STATUS.removed)
    throw new CallError('GONE');
  if (!canRead(viewer, comment)) throw queries.noComment();
  if (!isWriter(viewer, comment)) throw new CallError('FORBIDDEN', { message: '只能修改自己的评论' });
  if (isTooLate(comment, ctx.now)) throw new CallError('EDIT_TOO_LATE');
}

async function edit(ctx: Ctx, viewer: Viewer, before: CommentRow, prepared: Prepared): Promise<void> {
  const essay = await queries.lockEssay(ctx.db, before.essayId);
  const root = before.rootId === null ? null : await queries.lockComment(ctx.db, before.rootId);
  const comment = await queries.lockComment(ctx.db, before.id);
  requireEditable(ctx, viewer, comment);
  if (prepared.content === comment.content) return;
  const { status, ...text } = prepared;
  const edited = { ...comment, ...text, editedAt: ctx.now };
  await queries.updateComment(ctx.db, comment.id, { ...text, editedAt: ctx.now });
  const thread = { essay, root };
  if (status !== comment.status) {
    // What was told is taken back as it was told.
    await changeStanding(ctx, status === COMMENT_STATUS.shown ? edited : comment, thread, status);
  } else if (status !== COMMENT_STATUS.held) {
    await retell(ctx, comment, edited, thread);
  }
}

async function pin(ctx: Ctx, viewer: Viewer, before: CommentRow, pinned: boolean): Promise<void> {
  const essay = await queries.lockEssay(ctx.db, before.essayId);
  const comment = queries.shown(await queries.lockComment(ctx.db, before.id));
  if (!canPin(viewer, comment, essay))
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以置顶评论' });
  if (comment.pinned === pinned) return;
  if (pinned && (await queries.countPinned(ctx.db, essay.id)) >= MOST_PINNED)
    throw new CallError('TOO_MANY_PINNED');
  await queries.updateComment(ctx.db, comment.id, { pinned });
}

export async function prepareUpdate(
  ctx: Ctx,
  viewer: Viewer,
  { id, content, mentions, pinned }: z.output<typeof calls.updateComment.input>,
): Promise<Rest<void>> {
  if (content === undefined && pinned === undefined) throw invalid('content', '请写点什么');
  const comment = await queries.getComment(ctx.db, id);
  await getReadable(ctx, comment.essayId);
  let prepared: Prepared | null = null;
  if (content !== undefined) {
    requireEditable(ctx, viewer, comment);
    await requirePhone(ctx, viewer);
    prepared = await prepare(ctx, viewer, { content, mentions: mentions ?? comment.mentions });
  }
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      if (prepared !== null) await edit(ctx, viewer, comment, prepared);
      if (pinned !== undefined) await pin(ctx, viewer, comment, pinned);
    });
}

export const updateComment = whole(prepareUpdate);
