import type { Ctx } from '../../../../ctx.ts';
import { removeSandboxPayments } from '../providers/sandbox.ts';
import { removeOrdersOf } from '../queries/remove-orders.ts';

/** Removes all orders that these users paid or received; returns their ids, which the ledger needs. */
export async function removeOrdersOfUsers(ctx: Ctx, userIds: string[]): Promise<string[]> {
  const removed = await removeOrdersOf(ctx.db, userIds);
  await removeSandboxPayments(
    ctx.db,
    removed.map(({ no }) => no),
  );
  return removed.map(({ id }) => id);
}
