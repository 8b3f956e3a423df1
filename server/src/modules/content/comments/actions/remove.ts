import type * as calls from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { notify } from '../../../accounts/users/index.ts';
import { addToEssayCounters, essayPathOf } from '../../essays/index.ts';
import * as queries from '../queries/comments.ts';
import { removeCommentsForUsers } from '../queries/remove-by-users.ts';
import { canRead, canRemove, isWriter } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import {
  type CommentThread,
  changeCommentStatus,
  lockRecipientInboxes,
  toNoticeTarget,
} from './change-status.ts';

const BATCH_SIZE = 100;

/** Locks in the order essay, root, comment. */
async function lockThread(
  ctx: Ctx,
  { id, essayId, rootId }: CommentRow,
): Promise<CommentThread & { comment: CommentRow }> {
  const essay = await queries.lockEssay(ctx.db, essayId);
  const root = rootId === null ? null : await queries.lockComment(ctx.db, rootId);
  const comment = await queries.lockComment(ctx.db, id);
  if (comment.status === COMMENT_STATUS.deleted) throw new CallError('GONE', { message: '这条评论已被删除' });
  return { essay, root, comment };
}

const stateOf = ({ userId, guestName, content, status }: CommentRow) => ({
  ...(userId === null ? { guestName } : { userId }),
  content,
  status,
});

/** The writer and the essay's author delete the comment; staff remove it and can still read it. */
export async function removeComment(
  ctx: Ctx,
  viewer: Viewer,
  { id, reason }: z.output<typeof calls.removeComment.input>,
): Promise<void> {
  const found = await queries.getComment(ctx.db, id);
  const isStaffAction = await inTransaction(ctx, async (ctx) => {
    const { comment, ...thread } = await lockThread(ctx, found);
    if (!canRemove(viewer, comment, thread.essay))
      throw canRead(viewer, comment)
        ? new CallError('FORBIDDEN', { message: '只能删除自己的评论' })
        : queries.commentNotFound();
    if (comment.status === COMMENT_STATUS.removed)
      throw new CallError('GONE', { message: '这条评论已被移除' });
    if (!isWriter(viewer, comment) && viewer.id !== thread.essay.authorId) return true;
    await changeCommentStatus(ctx, comment, thread, COMMENT_STATUS.deleted);
    return false;
  });
  if (!isStaffAction) return;
  const call = { call: 'DELETE core/essay/cmt', summary: '移除评论', input: { id, reason } };
  await withOperationLog(ctx, call, (ctx) => moderateComment(ctx, found, COMMENT_STATUS.removed, reason));
}

function describeDecision(
  { status }: CommentRow,
  to: typeof COMMENT_STATUS.visible | typeof COMMENT_STATUS.removed,
  reason: string | undefined,
) {
  if (to === COMMENT_STATUS.removed) return `被移除${reason ? `：${reason}` : ''}`;
  return status === COMMENT_STATUS.held ? '通过了审核，大家都能看到了' : '已恢复显示';
}

export function moderateComment(
  ctx: Ctx,
  found: CommentRow,
  to: typeof COMMENT_STATUS.visible | typeof COMMENT_STATUS.removed,
  reason: string | undefined,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { comment, ...thread } = await lockThread(ctx, found);
    if (comment.status === to) return;
    await lockRecipientInboxes(ctx, comment, thread);
    await changeCommentStatus(ctx, comment, thread, to);
    logChange(ctx, `comment:${comment.id}`, stateOf(comment), { ...stateOf(comment), status: to });
    if (comment.userId === null) return;
    const { title, status } = thread.essay;
    const what = `${comment.rootId === null ? '评论' : '回复'}${describeDecision(comment, to, reason)}`;
    const notice = { userId: comment.userId, kind: 'system' } as const;
    // Off the shelf, the title may be that of an unpublished draft, so the notice omits it.
    if (status !== ESSAY_STATUS.onShelf) await notify(ctx, { ...notice, text: `你的${what}` });
    else
      await notify(ctx, {
        ...notice,
        text: `你在《${title}》下的${what}`,
        target:
          to === COMMENT_STATUS.visible
            ? toNoticeTarget(thread.essay, comment.id)
            : { id: comment.id, title, url: essayPathOf(thread.essay) },
      });
  });
}

export async function updateCommentStatus(
  ctx: Ctx,
  { id, status, reason }: z.output<typeof calls.updateStaffComment.input>,
): Promise<void> {
  if (status === COMMENT_STATUS.removed && !reason)
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，作者会看到' } });
  await moderateComment(ctx, await queries.getComment(ctx.db, id), status, reason);
}

/** Deletes all comments of a user who closes the account. Replies of others stay. */
export async function removeCommentsOf(ctx: Ctx, viewer: Viewer): Promise<void> {
  for (;;) {
    const ids = await queries.listVisibleOrHeldIds(ctx.db, viewer.id, BATCH_SIZE);
    if (ids.length === 0) break;
    for (const id of ids) await removeComment(ctx, viewer, { id });
  }
  await queries.clearRemovedText(ctx.db, viewer.id);
}

/** Removes the comments and comment likes of these users, with their counts, before the users are deleted. */
export async function purgeComments(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const removed = await removeCommentsForUsers(ctx.db, userIds);
  await queries.subtractFromCommentCounts(ctx.db, removed);
  await addToEssayCounters(
    ctx,
    removed.filter(({ cmts }) => cmts > 0).map(({ essayId, cmts }) => ({ essayId, cmts: -cmts })),
  );
}
