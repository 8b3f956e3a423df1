import { type Ctx, inTransaction } from '../../../ctx.ts';
import { lockAccess } from '../../accounts/access/index.ts';
import { purgeTrends } from '../../accounts/activity/index.ts';
import {
  indexUserNames,
  listDemoUserIds,
  removeUsers,
  requireSuperAdmin,
} from '../../accounts/users/index.ts';
import { purgeComments } from '../../content/comments/index.ts';
import { removeCoversOf } from '../../content/covers/index.ts';
import {
  listEssayIdsOf,
  purgeCollections,
  purgeColumnFollows,
  purgeHighlights,
  purgeLikes,
  removeEssaysOf,
} from '../../content/essays/index.ts';
import { purgeShares } from '../../content/shares/index.ts';
import { purgeChats, purgeLetters } from '../../messaging/chats/index.ts';
import { removeTermsOf } from '../../payments/members/index.ts';
import { removeOrdersOfUsers, removeRewardsOfUsers } from '../../payments/orders/index.ts';
import { removeWithdrawalsOf } from '../../payments/wallet/index.ts';
import { removeDemoMoney } from '../../platform/ledger/index.ts';
import { listExclusiveFiles } from '../../platform/uploads/index.ts';
import { removeReportsByUsers } from '../reports/index.ts';
import { recountDays } from '../stats/index.ts';

/** Demo money is not real, so payments between demo users and other users are removed from the balances as well. */
async function removeDemoPayments(ctx: Ctx, userIds: string[]): Promise<void> {
  await removeRewardsOfUsers(ctx, userIds);
  await removeTermsOf(ctx.db, userIds);
  await removeWithdrawalsOf(ctx.db, userIds);
  await removeDemoMoney(ctx, { userIds, orderIds: await removeOrdersOfUsers(ctx, userIds) });
}

/** Each part must run before those that it depends on are removed. */
const PARTS: readonly ((ctx: Ctx, userIds: string[]) => Promise<unknown>)[] = [
  async (ctx, ids) => purgeTrends(ctx, [...ids, ...(await listEssayIdsOf(ctx.db, ids))]),
  removeEssaysOf,
  purgeLikes,
  purgeCollections,
  purgeColumnFollows,
  removeCoversOf,
  purgeComments,
  purgeHighlights,
  purgeChats,
  purgeLetters,
  purgeShares,
  removeReportsByUsers,
  removeDemoPayments,
  (ctx, ids) => removeUsers(ctx.db, ids),
  requireSuperAdmin,
  recountDays,
];

/**
 * Removes the demo users with all their content in one transaction; the next start does not create them again.
 * `onProgress` gets the completed share, from 0 to 1.
 */
export async function removeDemo(
  ctx: Ctx,
  onProgress: (share: number) => Promise<void> = async () => {},
): Promise<number> {
  const { ids, files } = await inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const ids = await listDemoUserIds(ctx.db);
    const files = await listExclusiveFiles(ctx.db, ids);
    for (const [index, remove] of PARTS.entries()) {
      await remove(ctx, ids);
      await onProgress((index + 1) / PARTS.length);
    }
    return { ids, files };
  });
  await Promise.all(files.map((path) => ctx.services.files.remove(path)));
  await indexUserNames(ctx);
  return ids.length;
}
