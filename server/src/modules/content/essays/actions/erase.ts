import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { removeRowsOf } from '../../../../db/remove-rows.ts';
import { essayHistory, folders } from '../tables.ts';
import { releaseCollections } from './collect.ts';
import { withdrawEssays } from './status.ts';

/** What was published leaves the shelf; its buyers keep it. */
export async function erase(ctx: Ctx, user: Viewer): Promise<void> {
  await withdrawEssays(ctx, user);
  await inTx(ctx, async (ctx) => {
    await releaseCollections(ctx, [user.id], { ofOthersToo: false });
    await removeRowsOf(ctx.db, user.id, [folders, essayHistory]);
  });
}
