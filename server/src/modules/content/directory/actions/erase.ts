import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { deleteUserRows } from '../../../../db/delete-user-rows.ts';
import { expertApplications, farmers, starPicks, starRanks } from '../tables.ts';

export const erase = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await deleteUserRows(ctx.db, id, [farmers, starPicks, starRanks, expertApplications]);
    invalidate(ctx, 'farmers', `farmer:${id}`, 'stars');
  });
