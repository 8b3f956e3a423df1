import type { Page } from '@mozhan/contract/common.ts';
import type { EntryKind, LedgerAccount } from '@mozhan/contract/ledger.ts';
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { mapPage, type PageQuery } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { entryKindsOfAccount } from '../../../platform/ledger/index.ts';
import {
  type EntryRow,
  type LineRow,
  ledgerAccounts,
  ledgerEntries,
  ledgerLines,
} from '../../../platform/ledger/tables.ts';
import { orders } from '../../orders/tables.ts';
import { withdrawals } from '../tables.ts';

interface EntryFilter extends DayBounds {
  userId?: string | undefined;
  account?: LedgerAccount | undefined;
  kind?: EntryKind | undefined;
  orderId?: string | undefined;
  withdrawalId?: string | undefined;
  keyword?: string | undefined;
}

export interface EntryWithLines {
  entry: EntryRow;
  lines: LineWithUser[];
}

interface LineWithUser extends Pick<LineRow, 'amount' | 'balanceAfter'> {
  entryId: string;
  account: LedgerAccount;
  provider: string;
  user: User | null;
}

const matchesNumber = (db: Db, no: string) => {
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

/**
 * PostgreSQL runs it for one entry after the other until the page is full. It would turn `exists` into a join that reads
 * all lines of the account.
 */
const hasAccount = (account: LedgerAccount) => sql`(
  select true from ${ledgerLines} join ${ledgerAccounts} on ${ledgerAccounts.id} = ${ledgerLines.accountId}
  where ${ledgerLines.entryId} = ${ledgerEntries.id} and ${ledgerAccounts.account} = ${account} limit 1)`;

/** The entries of a user, which are few. */
const entriesOfUser = (db: Db, userId: string, account: LedgerAccount | undefined) =>
  db
    .select({ entryId: ledgerLines.entryId })
    .from(ledgerLines)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerLines.accountId))
    .where(
      and(
        eq(ledgerLines.userId, userId),
        account === undefined ? undefined : eq(ledgerAccounts.account, account),
      ),
    );

function whereEntries(db: Db, filter: EntryFilter) {
  const { userId, account, kind, orderId, withdrawalId, keyword } = filter;
  return and(
    userId === undefined ? undefined : inArray(ledgerEntries.id, entriesOfUser(db, userId, account)),
    account === undefined ? undefined : inArray(ledgerEntries.kind, entryKindsOfAccount[account]),
    account === undefined || userId !== undefined ? undefined : hasAccount(account),
    kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
    orderId === undefined ? undefined : eq(ledgerEntries.orderId, orderId),
    withdrawalId === undefined ? undefined : eq(ledgerEntries.withdrawalId, withdrawalId),
    keyword ? matchesNumber(db, keyword) : undefined,
    createdWithin(ledgerEntries.createdAt, filter),
  );
}

export async function listEntries(
  db: Db,
  query: PageQuery & EntryFilter & { isDescending: boolean },
): Promise<Page<EntryWithLines>> {
  const page = await listPage(db, query, {
    select: db.select().from(ledgerEntries),
    match: whereEntries(db, query),
    by: timeSortColumn(ledgerEntries.createdAt, query),
    id: ledgerEntries.id,
    isDescending: query.isDescending,
    key: (entry) => [entry.createdAt, entry.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
  const lines = await listLines(
    db,
    page.list.map((entry) => entry.id),
  );
  const byEntry = Map.groupBy(lines, (line) => line.entryId);
  return mapPage(page, (entry) => ({ entry, lines: byEntry.get(entry.id) ?? [] }));
}

const listLines = (db: Db, entryIds: string[]): Promise<LineWithUser[]> =>
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

export const listAccountSums = (db: Db): Promise<AccountSum[]> =>
  db
    .select({
      account: ledgerAccounts.account,
      provider: ledgerAccounts.provider,
      balance: sqlInt`sum(${ledgerAccounts.balance})::bigint`,
    })
    .from(ledgerAccounts)
    .groupBy(ledgerAccounts.account, ledgerAccounts.provider)
    .orderBy(ledgerAccounts.account, ledgerAccounts.provider);
