import type { TalkCounts } from '#contract/chats.ts';
import { afterCommit, type Ctx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { countUnreadLetters } from '../../contacts/index.ts';
import { listOwnDoors } from '../queries/doors.ts';
import { countUnread } from '../queries/talks.ts';
import { isWelcome } from '../rules.ts';

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

export function pushTalksAfterCommit(ctx: Ctx, userId: string): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // What was said is stored; a live message that fails is made up for by the next one or the next page.
    pushTalks(systemCtx(services), userId).catch((error: unknown) =>
      services.log.warn(error, 'live talk counts'),
    );
  });
}
