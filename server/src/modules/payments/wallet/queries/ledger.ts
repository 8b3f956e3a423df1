import type { Page } from '@mozhan/contract/common.ts';
import type { EntryKind, LedgerAccount } from '@mozhan/contract/ledger.ts';
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MOST_COUNTED } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { mapPage, type PageQuery } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { type Days, madeWithin, timeOrder } from '../../../../db/sort.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { kindsOf } from '../../../platform/ledger/index.ts';
import {
  type EntryRow,
  type LineRow,
  ledgerAccounts,
  ledgerEntries,
  ledgerLines,
} from '../../../platform/ledger/tables.ts';
import { orders } from '../../orders/tables.ts';
import { withdrawals } from '../tables.ts';

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
  // What is looked up line by line is counted up to a thousand.
  const isLookedUp = query.userId !== undefined || query.account !== undefined;
  const page = await listPage(db, query, {
    select: db.select().from(ledgerEntries),
    match: whereEntries(db, query),
    by: timeOrder(ledgerEntries.createdAt, query),
    id: ledgerEntries.id,
    isDescending: query.isDescending,
    key: (entry) => [entry.createdAt, entry.id],
    maxCounted: isLookedUp ? MOST_COUNTED : undefined,
  });
  const lines = await listLines(
    db,
    page.list.map((entry) => entry.id),
  );
  const byEntry = Map.groupBy(lines, (line) => line.entryId);
  return mapPage(page, (entry) => ({ entry, lines: byEntry.get(entry.id) ?? [] }));
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
