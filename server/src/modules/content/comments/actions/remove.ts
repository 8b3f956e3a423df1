import type * as calls from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import { logged } from '../../../accounts/access/index.ts';
import { notify } from '../../../accounts/users/index.ts';
import { addToEssays } from '../../essays/index.ts';
import * as queries from '../queries/comments.ts';
import { removeOf } from '../queries/release.ts';
import { canRead, canRemove, isWriter } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { changeStanding, holdTold, type Thread, targetOf } from './standing.ts';

const AT_ONCE = 100;

/** As it is now, with nobody else at it. */
async function lock(
  ctx: Ctx,
  { id, essayId, rootId }: CommentRow,
): Promise<Thread & { comment: CommentRow }> {
  const essay = await queries.lockEssay(ctx.db, essayId);
  const root = rootId === null ? null : await queries.lockComment(ctx.db, rootId);
  const comment = await queries.lockComment(ctx.db, id);
  if (comment.status === COMMENT_STATUS.deleted) throw new CallError('GONE', { message: '这条评论已被删除' });
  return { essay, root, comment };
}

const stateOf = ({ userId, content, status }: CommentRow) => ({ userId, content, status });

/** By its writer and the essay's author for good; by staff so that staff still see what it was. */
export async function removeComment(
  ctx: Ctx,
  viewer: Viewer,
  { id, reason }: z.output<typeof calls.removeComment.input>,
): Promise<void> {
  const found = await queries.getComment(ctx.db, id);
  const isStaffAct = await inTx(ctx, async (ctx) => {
    const { comment, ...thread } = await lock(ctx, found);
    if (!canRemove(viewer, comment, thread.essay))
      throw canRead(viewer, comment)
        ? new CallError('FORBIDDEN', { message: '只能删除自己的评论' })
        : queries.noComment();
    if (comment.status === COMMENT_STATUS.removed)
      throw new CallError('GONE', { message: '这条评论已被移除' });
    if (!isWriter(viewer, comment) && viewer.id !== thread.essay.authorId) return true;
    await changeStanding(ctx, comment, thread, COMMENT_STATUS.deleted);
    return false;
  });
  if (!isStaffAct) return;
  const call = { call: 'DELETE core/essay/cmt', summary: '移除评论', input: { id, reason } };
  await logged(ctx, call, (ctx) => moderate(ctx, found, COMMENT_STATUS.removed, reason));
}

function verdictOf(
  { status }: CommentRow,
  to: typeof COMMENT_STATUS.shown | typeof COMMENT_STATUS.removed,
  reason: string | undefined,
) {
  if (to === COMMENT_STATUS.removed) return `被移除${reason ? `：${reason}` : ''}`;
  return status === COMMENT_STATUS.held ? '通过了审核，大家都能看到了' : '已恢复显示';
}

/** Lets everyone see it, or nobody; its writer is told, and why. */
export function moderate(
  ctx: Ctx,
  found: CommentRow,
  to: typeof COMMENT_STATUS.shown | typeof COMMENT_STATUS.removed,
  reason: string | undefined,
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { comment, ...thread } = await lock(ctx, found);
    if (comment.status === to) return;
    await holdTold(ctx, comment, thread);
    await changeStanding(ctx, comment, thread, to);
    changed(ctx, `comment:${comment.id}`, stateOf(comment), { ...stateOf(comment), status: to });
    const { id, title, status } = thread.essay;
    const what = `${comment.rootId === null ? '评论' : '回复'}${verdictOf(comment, to, reason)}`;
    const deed = { userId: comment.userId, kind: 'system' } as const;
    // What its author took back has the title of a draft.
    if (status !== ESSAY_STATUS.onShelf) await notify(ctx, { ...deed, text: `你的${what}` });
    else
      await notify(ctx, {
        ...deed,
        text: `你在《${title}》下的${what}`,
        target:
          to === COMMENT_STATUS.shown
            ? targetOf(thread.essay, comment.id)
            : { id: comment.id, title, url: `/essay/detail/${id}.html` },
      });
  });
}

export async function updateStatus(
  ctx: Ctx,
  { id, status, reason }: z.output<typeof calls.updateStaffComment.input>,
): Promise<void> {
  if (status === COMMENT_STATUS.removed && !reason)
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，作者会看到' } });
  await moderate(ctx, await queries.getComment(ctx.db, id), status, reason);
}

/** Before somebody goes: what they said is gone, answers of others stay. */
export async function removeCommentsOf(ctx: Ctx, viewer: Viewer): Promise<void> {
  for (;;) {
    const ids = await queries.listIdsOf(ctx.db, viewer.id, AT_ONCE);
    if (ids.length === 0) break;
    for (const id of ids) await removeComment(ctx, viewer, { id });
  }
  await queries.blankRemoved(ctx.db, viewer.id);
}

/** Before these people go: what they said and liked is no longer counted anywhere. */
export async function releaseComments(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const lost = await removeOf(ctx.db, userIds);
  await queries.takeFromLists(ctx.db, lost);
  await addToEssays(
    ctx,
    lost.filter(({ cmts }) => cmts > 0).map(({ essayId, cmts }) => ({ essayId, cmts: -cmts })),
  );
}
