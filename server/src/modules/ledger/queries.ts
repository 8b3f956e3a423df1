import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Page } from '#contract/common.ts';
import type { EntryKind, LedgerAccount } from '#contract/ledger.ts';
import type { PayBy } from '#contract/prices.ts';
import type { Db } from '../../db/client.ts';
import { newId } from '../../db/id.ts';
import { type PageQuery, readPage } from '../../db/page.ts';
import { idRow, parseRow, parseRows, sqlInt } from '../../db/rows.ts';
import { type Days, madeWithin, sorted, timeOrder } from '../../db/sort.ts';
import { orders } from '../orders/tables.ts';
import { CAP } from '../users/index.ts';
import { type User, users } from '../users/tables.ts';
import { withdrawals } from '../wallet/tables.ts';
import { type AccountKey, kindsOf, SLOTS } from './rules.ts';
import { type EntryRow, type LineRow, ledgerAccounts, ledgerEntries, ledgerLines } from './tables.ts';

/** A user's accounts are zero as long as nothing was booked to them. */
export async function findBalances(db: Db, userId: string): Promise<{ balance: number; earnings: number }> {
  const rows = await db
    .select({ account: ledgerAccounts.account, balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, userId));
  const of = (account: string) => rows.find((row) => row.account === account)?.balance ?? 0;
  return { balance: of('balance'), earnings: of('earnings') };
}

/** What a writer has earned; nothing is booked to it until the transaction ends. */
export async function lockEarnings(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.userId, userId), eq(ledgerAccounts.account, 'earnings')))
    .for('no key update');
  return row?.balance ?? 0;
}

/** Writes an entry, by which the accounts change; a balance below zero is refused. */
export function writing(
  { id, kind, title, orderId, withdrawalId, createdAt }: EntryRow,
  lines: (AccountKey & { amount: number })[],
): SQL {
  const list = <T>(of: (line: AccountKey & { amount: number }) => T) => sql.param(lines.map(of));
  return sql`ledger_post(${id}, ${kind}, ${title}, ${orderId}, ${withdrawalId}, ${createdAt.toISOString()},
    ${list(() => newId())}::uuid[], ${list((line) => line.account)}::text[],
    ${list((line) => line.userId)}::uuid[], ${list((line) => line.provider)}::text[],
    ${list((line) => line.slot)}::smallint[], ${list((line) => line.amount)}::bigint[])`;
}

const heldRow = z.object({ held: z.int() });

/** What a provider has taken in for us and not paid back. */
export async function findHeld(db: Db, provider: PayBy): Promise<number> {
  const result = await db.execute(sql`
    select coalesce(-sum(balance), 0)::bigint as held from ledger_accounts where key = any(array(
      select ledger_key('clearing', null, ${provider}, slot::smallint) from generate_series(0, ${SLOTS - 1}) as slot))`);
  return parseRow(heldRow, result).held;
}

interface EntryFilter extends Days {
  userId?: string | undefined;
  account?: LedgerAccount | undefined;
  kind?: EntryKind | undefined;
  orderId?: string | undefined;
  withdrawalId?: string | undefined;
  keyword?: string | undefined;
}

export interface FullEntry {
  entry: EntryRow;
  lines: FullLine[];
}

interface FullLine extends Pick<LineRow, 'amount' | 'balanceAfter'> {
  entryId: string;
  account: LedgerAccount;
  provider: string;
  user: User | null;
}

/** Of the order or the withdrawal that people know by this number. */
const isAbout = (db: Db, no: string) => {
  const order = db
    .select({ id: orders.id })
    .from(orders)
    .where(or(eq(orders.no, no), eq(orders.tradeNo, no)));
  const withdrawal = db.select({ id: withdrawals.id }).from(withdrawals).where(eq(withdrawals.no, no));
  return or(
    sql`${ledgerEntries.orderId} = any(array(${order}))`,
    sql`${ledgerEntries.withdrawalId} = any(array(${withdrawal}))`,
  );
};

function whereEntries(db: Db, filter: EntryFilter) {
  const { userId, account, kind, orderId, withdrawalId, keyword } = filter;
  const lines = db
    .select({ entryId: ledgerLines.entryId })
    .from(ledgerLines)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerLines.accountId))
    .where(
      and(
        userId === undefined ? undefined : eq(ledgerLines.userId, userId),
        account === undefined ? undefined : eq(ledgerAccounts.account, account),
      ),
    );
  return and(
    userId === undefined && account === undefined ? undefined : inArray(ledgerEntries.id, lines),
    account === undefined ? undefined : inArray(ledgerEntries.kind, kindsOf[account]),
    kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
    orderId === undefined ? undefined : eq(ledgerEntries.orderId, orderId),
    withdrawalId === undefined ? undefined : eq(ledgerEntries.withdrawalId, withdrawalId),
    keyword ? isAbout(db, keyword) : undefined,
    madeWithin(ledgerEntries.createdAt, filter),
  );
}

export async function listEntries(
  db: Db,
  query: PageQuery & EntryFilter & { isDescending: boolean },
): Promise<Page<FullEntry>> {
  const match = whereEntries(db, query);
  const by = timeOrder(ledgerEntries.createdAt, query);
  const { order, behind } = sorted({ by, id: ledgerEntries.id, isDescending: query.isDescending });
  const page = await readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(ledgerEntries)
        .where(and(match, behind(after)))
        .orderBy(...order)
        .offset(offset)
        .limit(limit),
    // What is looked up line by line is counted up to a thousand.
    total: () => {
      const some = db.select({ id: ledgerEntries.id }).from(ledgerEntries).where(match).limit(CAP).as('some');
      const isLookedUp = query.userId !== undefined || query.account !== undefined;
      return isLookedUp ? db.$count(some) : db.$count(ledgerEntries, match);
    },
    key: (entry) => [entry.createdAt.toISOString(), entry.id],
    parts: ['time'],
  });
  const lines = await listLines(
    db,
    page.list.map((entry) => entry.id),
  );
  const byEntry = Map.groupBy(lines, (line) => line.entryId);
  return { ...page, list: page.list.map((entry) => ({ entry, lines: byEntry.get(entry.id) ?? [] })) };
}

const listLines = (db: Db, entryIds: string[]): Promise<FullLine[]> =>
  db
    .select({
      entryId: ledgerLines.entryId,
      account: ledgerAccounts.account,
      provider: ledgerAccounts.provider,
      amount: ledgerLines.amount,
      balanceAfter: ledgerLines.balanceAfter,
      user: users,
    })
    .from(ledgerLines)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerLines.accountId))
    .leftJoin(users, eq(users.id, ledgerLines.userId))
    .where(inArray(ledgerLines.entryId, entryIds))
    .orderBy(asc(ledgerLines.position));

export interface AccountSum {
  account: LedgerAccount;
  provider: string;
  balance: number;
}

export const listSums = (db: Db): Promise<AccountSum[]> =>
  db
    .select({
      account: ledgerAccounts.account,
      provider: ledgerAccounts.provider,
      balance: sqlInt`sum(${ledgerAccounts.balance})::bigint`,
    })
    .from(ledgerAccounts)
    .groupBy(ledgerAccounts.account, ledgerAccounts.provider)
    .orderBy(ledgerAccounts.account, ledgerAccounts.provider);

const movedRow = z.object({ accountId: z.int() });

/** What others have left is reckoned anew, as if it had always been so. */
export async function removeEntries(
  db: Db,
  { userIds, orderIds }: { userIds: string[]; orderIds: string[] },
): Promise<void> {
  const ids = (each: string[]) => sql`${sql.param(each)}::uuid[]`;
  await db.execute(sql`set local mozhan.ledger = 'demo removal'`);
  // What was paid out in the end moves nothing of theirs any more.
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
  const moved = parseRows(movedRow, removed);
  await db.execute(sql`delete from ledger_entries where id = any(${entryIds})`);
  await db.execute(sql`delete from ledger_accounts where user_id = any(${ids(userIds)})`);
  const accountIds = sql`${sql.param([...new Set(moved.map((line) => line.accountId))])}::bigint[]`;
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
