import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { deleteUserRows } from '../../../../db/delete-user-rows.ts';
import { essayHistory, folders, followingVisits } from '../tables.ts';
import { purgeCollections } from './collect.ts';
import { purgeColumnFollows } from './column-follows.ts';
import { purgeHighlights } from './highlights.ts';
import { withdrawEssays } from './status.ts';
import { removeTagFollowsOf } from './tag-follows.ts';

/** Published essays leave the shelf but stay readable for their buyers. */
export async function erase(ctx: Ctx, user: Viewer): Promise<void> {
  await withdrawEssays(ctx, user);
  await inTransaction(ctx, async (ctx) => {
    await purgeCollections(ctx, [user.id], { includeOthers: false });
    await purgeColumnFollows(ctx, [user.id]);
    await purgeHighlights(ctx, [user.id]);
    await deleteUserRows(ctx.db, user.id, [folders, essayHistory, followingVisits]);
    await removeTagFollowsOf(ctx, user.id);
  });
}
