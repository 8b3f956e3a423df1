import type { Ctx } from '../../../../ctx.ts';
import { removeSandboxBills } from '../providers/sandbox.ts';
import { removeOrdersOf } from '../queries/release.ts';

/** What these people bought and sold, before they go; answers with the ids, by which the ledger knows them. */
export async function releaseOrders(ctx: Ctx, userIds: string[]): Promise<string[]> {
  const gone = await removeOrdersOf(ctx.db, userIds);
  await removeSandboxBills(
    ctx.db,
    gone.map(({ no }) => no),
  );
  return gone.map(({ id }) => id);
}
