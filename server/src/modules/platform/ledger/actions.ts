import { randomInt } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../../ctx.ts';
import { mapDatabaseError } from '../../../db/errors.ts';
import { newId } from '../../../db/id.ts';
import * as queries from './queries.ts';
import { type LedgerEntry, ROWS_PER_ACCOUNT, toAccountKey } from './rules.ts';

/** Returns the database call of `post`, to be used inside a larger statement. */
export function postSql(ctx: Ctx, { kind, title, orderId, withdrawalId, lines }: LedgerEntry): SQL {
  const slot = randomInt(ROWS_PER_ACCOUNT);
  const nonZeroLines = lines
    .filter(({ amount }) => amount !== 0)
    .map((line) => ({ ...toAccountKey(line, slot), amount: line.amount }));
  const entry = { id: newId(), kind, title, orderId: orderId ?? null, withdrawalId: withdrawalId ?? null };
  return queries.ledgerPostSql({ ...entry, createdAt: ctx.now }, nonZeroLines);
}

/**
 * Posts an entry and updates the balances. Call it last in a transaction: the accounts stay locked until its end.
 * Throws BALANCE_TOO_LOW.
 */
export async function post(ctx: Ctx, entry: LedgerEntry): Promise<void> {
  if (ctx.effects === null) throw new Error('post must be called inside inTransaction');
  try {
    await ctx.db.execute(sql`select ${postSql(ctx, entry)}`);
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

/** The only exception to the append-only rule, for entries of demo users and demo orders. */
export async function removeDemoMoney(
  ctx: Ctx,
  removed: { userIds: string[]; orderIds: string[] },
): Promise<void> {
  if (ctx.effects === null) throw new Error('removeDemoMoney must be called inside inTransaction');
  await queries.removeEntries(ctx.db, removed);
}
