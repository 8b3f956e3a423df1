import type * as calls from '@mozhan/contract/chats.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { readAbout } from '../../../accounts/users/index.ts';
import * as queries from '../queries/talks.ts';
import { enter } from './access.ts';
import { pushTalksAfterCommit } from './counts.ts';

/** So far, by the viewer; null: it was known. */
async function markRead(
  ctx: Ctx,
  viewer: Viewer,
  conversationId: string,
  seq: number,
): Promise<number | null> {
  const read = await queries.updateRead(ctx.db, { conversationId, userId: viewer.id, seq });
  if (read === null) return null;
  await readAbout(ctx, viewer.id, conversationId);
  pushTalksAfterCommit(ctx, viewer.id);
  return read;
}

export async function readChat(
  ctx: Ctx,
  viewer: Viewer,
  { userId, seq }: z.output<typeof calls.readChat.input>,
): Promise<void> {
  const pair = await queries.findPair(ctx.db, viewer.id, userId);
  if (pair === null) return;
  await inTx(ctx, async (ctx) => {
    const read = await markRead(ctx, viewer, pair.conversation.id, seq);
    if (read === null) return;
    const { live } = ctx.services;
    afterCommit(ctx, () => {
      live.toUser(userId, 'chatRead', { talk: { userId: viewer.id }, byId: viewer.id, seq: read });
      live.toUser(viewer.id, 'chatRead', { talk: { userId }, byId: viewer.id, seq: read });
    });
  });
}

/** Whoever has left comes back by saying something, not by reading on. */
export async function updateRoom(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, seq, left }: z.output<typeof calls.updateRoom.input>,
): Promise<void> {
  const { conversationId } = await enter(ctx, viewer, essayId);
  if (conversationId === null) return;
  await inTx(ctx, async (ctx) => {
    if (seq !== undefined) {
      await queries.insertMember(ctx.db, conversationId, viewer.id);
      const read = await markRead(ctx, viewer, conversationId, seq);
      if (read !== null)
        afterCommit(ctx, () =>
          ctx.services.live.toUser(viewer.id, 'chatRead', {
            talk: { essayId },
            byId: viewer.id,
            seq: read,
          }),
        );
    }
    if (left !== undefined) {
      await queries.updateLeft(ctx.db, conversationId, viewer.id, ctx.now);
      pushTalksAfterCommit(ctx, viewer.id);
    }
  });
}
