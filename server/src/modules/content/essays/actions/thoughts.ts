import type { CommentStatus } from '@mozhan/contract/comments.ts';
import type { Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/highlights.ts';
import { queueCount } from './anchor-queue.ts';

interface Thought {
  commentId: string;
  status: CommentStatus;
  note: string;
}

/** Makes a comment the public thought of a highlight, unless it has one already. */
export async function linkThought(
  ctx: Ctx,
  highlight: { id: string; essayId: string },
  { commentId, status, note }: Thought,
): Promise<void> {
  const isLinked = await queries.linkComment(ctx.db, highlight.id, {
    commentId,
    thoughtStatus: status,
    note,
    updatedAt: ctx.now,
  });
  if (isLinked) await queueCount(ctx, highlight.essayId);
}

/** The comment was edited or moderated. */
export async function updateThought(
  ctx: Ctx,
  essayId: string,
  commentId: string,
  { status, note }: Partial<Omit<Thought, 'commentId'>>,
): Promise<void> {
  const isLinked = await queries.updateLinked(ctx.db, commentId, {
    ...(status !== undefined && { thoughtStatus: status }),
    ...(note !== undefined && { note }),
    updatedAt: ctx.now,
  });
  if (isLinked) await queueCount(ctx, essayId);
}

/** The comment was deleted: the reader keeps the thought for themselves. */
export async function unlinkThought(ctx: Ctx, essayId: string, commentId: string): Promise<void> {
  const isLinked = await queries.updateLinked(ctx.db, commentId, {
    commentId: null,
    thoughtStatus: null,
  });
  if (isLinked) await queueCount(ctx, essayId);
}
