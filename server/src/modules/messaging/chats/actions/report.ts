import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findSaid } from '../queries/messages.ts';
import { findConversation } from '../queries/talks.ts';
import { mayHear } from './access.ts';

/** Whose message it is, if it is one that the viewer can see. */
export async function findSpeaker(ctx: Ctx, viewer: Viewer, id: string): Promise<string | null> {
  const row = await findSaid(ctx.db, id);
  if (row === null || row.message.removedAt !== null) return null;
  const conversation = await findConversation(ctx.db, row.message.conversationId);
  if (conversation === null) return null;
  const { essayId, userA, userB } = conversation;
  const isThere =
    essayId === null
      ? viewer.id === userA || viewer.id === userB
      : (await mayHear(ctx, viewer, [essayId])).length > 0;
  return isThere ? row.message.fromId : null;
}
