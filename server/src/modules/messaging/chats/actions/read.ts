import type * as calls from '@mozhan/contract/chats.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { markTargetRead } from '../../../accounts/users/index.ts';
import * as queries from '../queries/conversations.ts';
import { requireRoomAccess } from './access.ts';
import { pushConversationCountsAfterCommit } from './counts.ts';

/** Returns the new read position, or null when it did not change. */
async function markReadUpTo(
  ctx: Ctx,
  viewer: Viewer,
  conversationId: string,
  seq: number,
): Promise<number | null> {
  const read = await queries.advanceReadSeq(ctx.db, { conversationId, userId: viewer.id, seq });
  if (read === null) return null;
  await markTargetRead(ctx, viewer.id, conversationId);
  pushConversationCountsAfterCommit(ctx, viewer.id);
  return read;
}

export async function readChat(
  ctx: Ctx,
  viewer: Viewer,
  { userId, seq }: z.output<typeof calls.readChat.input>,
): Promise<void> {
  const pair = await queries.findPair(ctx.db, viewer.id, userId);
  if (pair === null) return;
  await inTransaction(ctx, async (ctx) => {
    const read = await markReadUpTo(ctx, viewer, pair.conversation.id, seq);
    if (read === null) return;
    const { live } = ctx.services;
    afterCommit(ctx, () => {
      live.emitToUser(userId, 'chatRead', { talk: { userId: viewer.id }, byId: viewer.id, seq: read });
      live.emitToUser(viewer.id, 'chatRead', { talk: { userId }, byId: viewer.id, seq: read });
    });
  });
}

/** A user who left becomes a member again by writing, not by reading. */
export async function updateRoom(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, seq, left }: z.output<typeof calls.updateRoom.input>,
): Promise<void> {
  const { conversationId } = await requireRoomAccess(ctx, viewer, essayId);
  if (conversationId === null) return;
  await inTransaction(ctx, async (ctx) => {
    if (seq !== undefined) {
      await queries.insertMember(ctx.db, conversationId, viewer.id);
      const read = await markReadUpTo(ctx, viewer, conversationId, seq);
      if (read !== null)
        afterCommit(ctx, () =>
          ctx.services.live.emitToUser(viewer.id, 'chatRead', {
            talk: { essayId },
            byId: viewer.id,
            seq: read,
          }),
        );
    }
    if (left !== undefined) {
      await queries.updateLeftAt(ctx.db, conversationId, viewer.id, ctx.now);
      pushConversationCountsAfterCommit(ctx, viewer.id);
    }
  });
}
