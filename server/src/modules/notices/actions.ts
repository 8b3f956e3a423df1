import type { Notice, UnreadCounts } from '#contract/notices.ts';
import { afterCommit, type Ctx, inTx } from '../../ctx.ts';
import { newId } from '../../db/id.ts';
import { systemCtx } from '../../jobs.ts';
import { countUnread, insertNotice, updateRead } from './queries.ts';
import { toUnreadCounts } from './views.ts';

export const getUnread = async (ctx: Ctx, userId: string): Promise<UnreadCounts> =>
  toUnreadCounts(await countUnread(ctx.db, userId));

/** Sends a user's open pages their unread counts. */
export async function pushUnread(ctx: Ctx, userId: string): Promise<void> {
  ctx.services.live.toUser(userId, 'unread', await getUnread(ctx, userId));
}

function pushAfterCommit(ctx: Ctx, userId: string): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // The notice is stored; a live message that fails is made up for by the next one or the next page.
    pushUnread(systemCtx(services), userId).catch((error: unknown) =>
      services.log.warn(error, 'live unread counts'),
    );
  });
}

/** Tells a user something, in the transaction of the deed it is about, unless notices of that kind are switched off. */
export async function notify(
  ctx: Ctx,
  notice: { userId: string; kind: Notice['kind']; text: string },
): Promise<void> {
  const isWanted = await insertNotice(ctx.db, { id: newId(), ...notice, createdAt: ctx.now });
  if (isWanted) pushAfterCommit(ctx, notice.userId);
}

export function markRead(ctx: Ctx, userId: string, ids: string[] | 'all'): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await updateRead(ctx.db, userId, ids, ctx.now);
    pushAfterCommit(ctx, userId);
  });
}
