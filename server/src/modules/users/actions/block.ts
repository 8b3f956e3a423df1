import { CallError } from '#contract/errors.ts';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import { dayOf } from '../../../day.ts';
import { forgetNotices } from '../../notices/index.ts';
import { insertBlock, removeBlock } from '../queries/blocks.ts';
import { removeFollow, updateFollowCounts } from '../queries/follows.ts';
import { lockFollowed, touchBoth } from './follow.ts';

/** Ends what ties the two, in both directions. */
export function blockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  if (viewer.id === userId) throw new CallError('BLOCK_SELF');
  return inTx(ctx, async (ctx) => {
    await lockFollowed(ctx, viewer, userId);
    if (!(await insertBlock(ctx.db, { userId: viewer.id, blockedId: userId, createdAt: ctx.now })))
      return { blocked: true };
    for (const pair of [
      { followerId: viewer.id, userId },
      { followerId: userId, userId: viewer.id },
    ]) {
      if (await removeFollow(ctx.db, pair.followerId, pair.userId))
        await updateFollowCounts(ctx.db, { ...pair, by: -1, day: dayOf(ctx.now) });
    }
    await forgetNotices(ctx, [{ userId: viewer.id, kind: 'follow', actorId: userId, targetId: viewer.id }]);
    touchBoth(ctx, viewer, userId);
    return { blocked: true };
  });
}

export async function unblockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  await removeBlock(ctx.db, viewer.id, userId);
  return { blocked: false };
}
