import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { countBlocks, insertBlock, listToldOf, removeBlock } from '../queries/blocks.ts';
import { endFollow, lockFollowed, touchBoth } from './follow.ts';
import { forgetNotices } from './notices.ts';

const MOST_BLOCKED = 1000;

/** Ends what ties the two, in both directions. */
export function blockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  if (viewer.id === userId) throw new CallError('BLOCK_SELF');
  return inTx(ctx, async (ctx) => {
    await lockFollowed(ctx, viewer, userId);
    if (!(await insertBlock(ctx.db, { userId: viewer.id, blockedId: userId, createdAt: ctx.now })))
      return { blocked: true };
    if ((await countBlocks(ctx.db, viewer.id)) > MOST_BLOCKED) throw new CallError('TOO_MANY_BLOCKED');
    await endFollow(ctx, viewer.id, userId);
    await endFollow(ctx, userId, viewer.id);
    await forgetNotices(ctx, await listToldOf(ctx.db, viewer.id, userId));
    touchBoth(ctx, viewer, userId);
    // The rooms of the viewer's essays are shut to them.
    afterCommit(ctx, () => ctx.services.live.recheck({ userId }));
    return { blocked: true };
  });
}

export async function unblockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  await removeBlock(ctx.db, viewer.id, userId);
  return { blocked: false };
}
