import type { ConversationCounts } from '@mozhan/contract/chats.ts';
import { afterCommit, type Ctx, oncePerApp } from '../../../../ctx.ts';
import { createCoalescedLoader } from '../../../../db/batch.ts';
import { systemCtx } from '../../../../jobs.ts';
import { countUnreadInPairs } from '../queries/conversations.ts';
import { listOwnRooms } from '../queries/room-access.ts';
import { canReadRoom } from '../rules/chats.ts';
import { countUnreadLetters } from '../unread.ts';

export async function countUnreadConversations(ctx: Ctx, userId: string): Promise<ConversationCounts> {
  const isOn = ctx.services.switches.current();
  const rooms = isOn.chats ? await listOwnRooms(ctx.db, userId, { isUnread: true }) : [];
  return {
    letters: isOn.letters ? await countUnreadLetters(ctx, userId) : 0,
    chats: isOn.chats ? await countUnreadInPairs(ctx.db, userId) : 0,
    rooms: rooms.filter((room) => canReadRoom(room, ctx.now)).length,
  };
}

export async function pushConversationCounts(ctx: Ctx, userId: string): Promise<void> {
  ctx.services.live.emitToUser(userId, 'talks', await countUnreadConversations(ctx, userId));
}

/** Requests that arrive during a count share one further count after it. */
const pusherOf = oncePerApp((services) =>
  createCoalescedLoader((userId: string) => pushConversationCounts(systemCtx(services), userId)),
);

export function pushConversationCountsAfterCommit(ctx: Ctx, userId: string): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // The message is stored already; the next event or page load repairs a lost live update.
    pusherOf(services)(userId).catch((error: unknown) =>
      services.log.warn(error, 'unread counts of conversations'),
    );
  });
}
