import { randomInt } from 'node:crypto';
import type { Ctx } from '../../../ctx.ts';
import { mapDatabaseError } from '../../../db/errors.ts';
import { newId } from '../../../db/id.ts';
import * as queries from './queries.ts';
import { type LedgerEntry, ROWS_PER_ACCOUNT, toAccountKey } from './rules.ts';

function toPostedLines({ lines }: Pick<LedgerEntry, 'lines'>): queries.PostedLine[] {
  const slot = randomInt(ROWS_PER_ACCOUNT);
  return lines
    .filter(({ amount }) => amount !== 0)
    .map((line) => ({ ...toAccountKey(line, slot), amount: line.amount }));
}

/** An entry as a database function passes it to `ledger_post`, in a larger statement. */
export const entryJson = (ctx: Ctx, entry: Omit<LedgerEntry, 'withdrawalId'>): queries.EntryJson => {
  const { kind, title, orderId = null } = entry;
  return queries.toEntryJson({ id: newId(), kind, title, orderId, createdAt: ctx.now }, toPostedLines(entry));
};

/**
 * Locks the users' accounts of an entry that is posted later in the transaction. Transactions of orders call it before
 * they change anything for which others may wait, because a batch of purchases has locked its accounts by then.
 */
export async function lockUserAccounts(ctx: Ctx, entry: Pick<LedgerEntry, 'lines'>): Promise<void> {
  if (ctx.effects === null) throw new Error('lockUserAccounts must be called inside inTransaction');
  const lines = toPostedLines(entry).filter(({ userId }) => userId !== null);
  await queries.lockAccounts(ctx.db, lines);
}

/**
 * Posts an entry and updates the balances. Call it last in a transaction: the accounts stay locked until its end.
 * Throws BALANCE_TOO_LOW.
 */
export async function post(ctx: Ctx, entry: LedgerEntry): Promise<void> {
  if (ctx.effects === null) throw new Error('post must be called inside inTransaction');
  const { kind, title, orderId = null, withdrawalId = null } = entry;
  const row = { id: newId(), kind, title, orderId, withdrawalId, createdAt: ctx.now };
  try {
    await queries.insertEntry(ctx.db, row, toPostedLines(entry));
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
