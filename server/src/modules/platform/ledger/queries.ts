import type { PayBy } from '@mozhan/contract/prices.ts';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { idRow, parseRow, parseRows } from '../../../db/rows.ts';
import { type AccountKey, ROWS_PER_ACCOUNT } from './rules.ts';
import { type EntryRow, ledgerAccounts } from './tables.ts';

/** An account without a row has the balance zero. */
export async function findBalances(db: Db, userId: string): Promise<{ balance: number; earnings: number }> {
  const rows = await db
    .select({ account: ledgerAccounts.account, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, userId));
  const of = (account: string) => rows.find((row) => row.account === account)?.balance ?? 0;
  return { balance: of('balance'), earnings: of('earnings') };
}

export async function lockEarnings(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.userId, userId), eq(ledgerAccounts.account, 'earnings')))
    .for('no key update');
  return row?.balance ?? 0;
}

export interface PostedLine extends AccountKey {
  amount: number;
}

/** The parameter of the database function `ledger_post`. */
export type EntryJson = ReturnType<typeof toEntryJson>;

export const toEntryJson = (
  { id, kind, title, orderId, createdAt }: Omit<EntryRow, 'withdrawalId'>,
  lines: PostedLine[],
) => ({
  id,
  kind,
  title,
  order_id: orderId,
  created_at: createdAt.toISOString(),
  lines: lines.map(({ account, userId, provider, slot, amount }) => ({
    id: newId(),
    account,
    user_id: userId,
    provider,
    slot,
    amount,
  })),
});

export async function insertEntry(
  db: Db,
  { id, kind, title, orderId, withdrawalId, createdAt }: EntryRow,
  lines: PostedLine[],
): Promise<void> {
  const list = <T>(of: (line: PostedLine) => T) => sql.param(lines.map(of));
  await db.execute(sql`select ledger_post(
    ${id}, ${kind}, ${title}, ${orderId}, ${withdrawalId}, ${createdAt.toISOString()},
    ${list(() => newId())}::uuid[], ${list((line) => line.account)}::text[],
    ${list((line) => line.userId)}::uuid[], ${list((line) => line.provider)}::text[],
    ${list((line) => line.slot)}::smallint[], ${list((line) => line.amount)}::bigint[])`);
}

/** Creates accounts that do not exist yet. */
export async function lockAccounts(db: Db, lines: PostedLine[]): Promise<void> {
  const keys = lines.map(({ account, userId, provider, slot }) => ({
    account,
    user_id: userId,
    provider,
    slot,
  }));
  await db.execute(sql`select ledger_lock(${JSON.stringify([{ lines: keys }])}::jsonb)`);
}

const holdingsRow = z.object({ held: z.int() });

/** Returns the amount that a provider received for us and has not paid back. */
export async function findProviderHoldings(db: Db, provider: PayBy): Promise<number> {
  const result = await db.execute(sql`
    select coalesce(-sum(balance), 0)::bigint as held from ledger_accounts where key = any(array(
      select ledger_key('clearing', null, ${provider}, slot::smallint) from generate_series(0, ${ROWS_PER_ACCOUNT - 1}) as slot))`);
  return parseRow(holdingsRow, result).held;
}

const removedLineRow = z.object({ accountId: z.int() });

export async function removeEntries(
  db: Db,
  { userIds, orderIds }: { userIds: string[]; orderIds: string[] },
): Promise<void> {
  const ids = (each: string[]) => sql`${sql.param(each)}::uuid[]`;
  await db.execute(sql`set local mozhan.ledger = 'demo removal'`);
  // The final payout of a withdrawal has no line of the user, so it is found by the withdrawal's id.
  const result = await db.execute(sql`
    with gone as (
      select id, withdrawal_id from ledger_entries
      where order_id = any(${ids(orderIds)})
        or id in (select entry_id from ledger_lines where user_id = any(${ids(userIds)}))
    )
    select id from gone
    union select id from ledger_entries where withdrawal_id in (select withdrawal_id from gone)`);
  const entryIds = ids(parseRows(idRow, result).map((row) => row.id));
  const removed = await db.execute(sql`
    delete from ledger_lines where entry_id = any(${entryIds}) returning account_id as "accountId"`);
  const removedLines = parseRows(removedLineRow, removed);
  await db.execute(sql`delete from ledger_entries where id = any(${entryIds})`);
  await db.execute(sql`delete from ledger_accounts where user_id = any(${ids(userIds)})`);
  const accountIds = sql`${sql.param([...new Set(removedLines.map((line) => line.accountId))])}::bigint[]`;
  await db.execute(sql`
    update ledger_lines set balance_after = sums.balance
    from (
      select id, sum(amount) over (partition by account_id order by position) as balance
      from ledger_lines where account_id = any(${accountIds})
    ) as sums
    where ledger_lines.id = sums.id and balance_after <> sums.balance`);
  await db.execute(sql`
    update ledger_accounts
    set balance = coalesce((select sum(amount) from ledger_lines where account_id = ledger_accounts.id), 0)
    where id = any(${accountIds})`);
  await db.execute(sql`set local mozhan.ledger = ''`);
}
