import { type Ctx, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { removeRowsOf } from '../../../../db/remove-rows.ts';
import { expertApplications, farmers, starPicks } from '../tables.ts';

export const erase = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await removeRowsOf(ctx.db, id, [farmers, starPicks, expertApplications]);
    touch(ctx, 'farmers', `farmer:${id}`, 'stars');
  });
