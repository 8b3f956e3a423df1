import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { deleteUserRows } from '../../../../db/delete-user-rows.ts';
import { removeAllBlocksOf } from '../queries/blocks.ts';
import { updateUser } from '../queries/users.ts';
import { accountChanges, codes, noticeCounts, notices, signInNetworks, signIns } from '../tables.ts';

/** Leaves the account itself, which `eraseAccount` anonymizes last. */
export const eraseUserData = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await deleteUserRows(ctx.db, id, [notices, noticeCounts, codes, accountChanges, signInNetworks, signIns]);
    await removeAllBlocksOf(ctx.db, id);
    // Earlier than the rest of the profile, so that the picture is unused when `uploads` deletes such files.
    await updateUser(ctx.db, id, { headImg: '' });
  });
