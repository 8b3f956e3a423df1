import type { TalkCounts } from '@mozhan/contract/chats.ts';
import { afterCommit, type Ctx, type Services } from '../../../../ctx.ts';
import { createShared } from '../../../../db/batch.ts';
import { systemCtx } from '../../../../jobs.ts';
import { listOwnDoors } from '../queries/doors.ts';
import { countUnread } from '../queries/talks.ts';
import { isWelcome } from '../rules/chats.ts';
import { countUnreadLetters } from '../unread.ts';

/** What of letters, chats and rooms somebody has not read. */
export async function countTalks(ctx: Ctx, userId: string): Promise<TalkCounts> {
  const rooms = await listOwnDoors(ctx.db, userId, { isUnread: true });
  return {
    letters: await countUnreadLetters(ctx, userId),
    chats: await countUnread(ctx.db, userId),
    rooms: rooms.filter((door) => isWelcome(door, ctx.now)).length,
  };
}

/** Sends somebody's open pages these counts. */
export async function pushTalks(ctx: Ctx, userId: string): Promise<void> {
  ctx.services.live.toUser(userId, 'talks', await countTalks(ctx, userId));
}

const pushers = new WeakMap<Services, (userId: string) => Promise<void>>();

/** However much somebody is sent at once, it is counted once more when the last count is done. */
function pusherOf(services: Services): (userId: string) => Promise<void> {
  const push =
    pushers.get(services) ?? createShared((userId: string) => pushTalks(systemCtx(services), userId));
  pushers.set(services, push);
  return push;
}

export function pushTalksAfterCommit(ctx: Ctx, userId: string): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // What was said is stored; a live message that fails is made up for by the next one or the next page.
    pusherOf(services)(userId).catch((error: unknown) => services.log.warn(error, 'live talk counts'));
  });
}
