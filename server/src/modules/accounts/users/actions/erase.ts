import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { removeRowsOf } from '../../../../db/remove-rows.ts';
import { removeBlocksAround } from '../queries/blocks.ts';
import { accountChanges, codes, noticeCounts, notices, signInNetworks } from '../tables.ts';

/** All but the account itself, which `eraseAccount` blanks in the end. */
export const erase = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await removeRowsOf(ctx.db, id, [notices, noticeCounts, codes, accountChanges, signInNetworks]);
    await removeBlocksAround(ctx.db, id);
  });
