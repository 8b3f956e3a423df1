import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { addToEssayCounters } from '../../essays/index.ts';
import { lockEssay } from '../queries/comments.ts';
import { recountComments, removeImported } from '../queries/imported-comments.ts';

interface UndoneComments {
  removed: number;
  /** Comments that stay because somebody has replied to them since. */
  keptIds: string[];
}

/** Deletes what a transfer imported at one essay, except comments that somebody has replied to since. */
export function removeImportedComments(
  ctx: Ctx,
  { transferId, essayId }: { transferId: string; essayId: string },
): Promise<UndoneComments> {
  return inTransaction(ctx, async (ctx) => {
    await lockEssay(ctx.db, essayId);
    const { removed, visible, keptIds } = await removeImported(ctx.db, transferId, essayId);
    await recountComments(ctx.db, essayId);
    if (visible > 0) await addToEssayCounters(ctx, [{ essayId, cmts: -visible }]);
    return { removed, keptIds };
  });
}
