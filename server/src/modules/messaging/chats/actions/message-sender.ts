import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findConversation } from '../queries/conversations.ts';
import { findMessage } from '../queries/messages.ts';
import { filterReadableRooms } from './access.ts';

/** Returns null unless the viewer can see the message. */
export async function findVisibleMessageSender(ctx: Ctx, viewer: Viewer, id: string): Promise<string | null> {
  const row = await findMessage(ctx.db, id);
  if (row === null || row.message.removedAt !== null) return null;
  const conversation = await findConversation(ctx.db, row.message.conversationId);
  if (conversation === null) return null;
  const { essayId, userA, userB } = conversation;
  const isVisible =
    essayId === null
      ? viewer.id === userA || viewer.id === userB
      : (await filterReadableRooms(ctx, viewer, [essayId])).length > 0;
  return isVisible ? row.message.fromId : null;
}
