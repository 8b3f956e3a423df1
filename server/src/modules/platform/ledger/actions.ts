import { randomInt } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../../ctx.ts';
import { fromDatabase } from '../../../db/errors.ts';
import { newId } from '../../../db/id.ts';
import * as queries from './queries.ts';
import { type Entry, keyOf, SLOTS } from './rules.ts';

/** The call of the database that books what moved, for a statement that does more; see `post`. */
export function booking(ctx: Ctx, { kind, title, orderId, withdrawalId, lines }: Entry): SQL {
  const slot = randomInt(SLOTS);
  const moved = lines
    .filter(({ amount }) => amount !== 0)
    .map((line) => ({ ...keyOf(line, slot), amount: line.amount }));
  const entry = { id: newId(), kind, title, orderId: orderId ?? null, withdrawalId: withdrawalId ?? null };
  return queries.writing({ ...entry, createdAt: ctx.now }, moved);
}

/**
 * Books what moved; the only way money moves. As the last thing of a transaction: the accounts are held from here to
 * its end, people's before the platform's. Refuses with BALANCE_TOO_LOW.
 */
export async function post(ctx: Ctx, entry: Entry): Promise<void> {
  if (ctx.effects === null) throw new Error('post is for use inside inTx');
  try {
    await ctx.db.execute(sql`select ${booking(ctx, entry)}`);
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** The one exception to what is booked stays: these people's entries and those of these orders were never real. */
export async function removeDemoMoney(
  ctx: Ctx,
  gone: { userIds: string[]; orderIds: string[] },
): Promise<void> {
  if (ctx.effects === null) throw new Error('removeDemoMoney is for use inside inTx');
  await queries.removeEntries(ctx.db, gone);
}
