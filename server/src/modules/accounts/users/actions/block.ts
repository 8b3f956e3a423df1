import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { countBlocks, insertBlock, listNoticesByActor, removeBlock } from '../queries/blocks.ts';
import { endFollow, invalidateBoth, lockBothUsers } from './follow.ts';
import { removeNotices } from './notices.ts';

const MAX_BLOCKED = 1000;

/** Also ends follows in both directions and removes notices about the blocked user. */
export function blockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  if (viewer.id === userId) throw new CallError('BLOCK_SELF');
  return inTransaction(ctx, async (ctx) => {
    await lockBothUsers(ctx, viewer, userId);
    if (!(await insertBlock(ctx.db, { userId: viewer.id, blockedId: userId, createdAt: ctx.now })))
      return { blocked: true };
    if ((await countBlocks(ctx.db, viewer.id)) > MAX_BLOCKED) throw new CallError('TOO_MANY_BLOCKED');
    await endFollow(ctx, viewer.id, userId);
    await endFollow(ctx, userId, viewer.id);
    await removeNotices(ctx, await listNoticesByActor(ctx.db, viewer.id, userId));
    invalidateBoth(ctx, viewer, userId);
    // The blocked user loses access to the rooms of the viewer's essays.
    afterCommit(ctx, () => ctx.services.live.recheckAccess({ userId }));
    return { blocked: true };
  });
}

export async function unblockUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<{ blocked: boolean }> {
  await removeBlock(ctx.db, viewer.id, userId);
  return { blocked: false };
}
