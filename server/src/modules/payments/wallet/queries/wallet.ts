import type { Page } from '@mozhan/contract/common.ts';
import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { WalletEntry, Withdrawal } from '@mozhan/contract/wallet.ts';
import { and, desc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { parseRows, sqlAs, sqlInt } from '../../../../db/rows.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { userIdsMatching } from '../../../accounts/users/index.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { ledgerAccounts, ledgerEntries, ledgerLines } from '../../../platform/ledger/tables.ts';
import { orders } from '../../orders/tables.ts';
import { monthRange, type WalletMovement } from '../rules/wallet.ts';
import { type WithdrawalRow, withdrawals } from '../tables.ts';

export async function sumPendingWithdrawals(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ sum: sqlInt`coalesce(sum(${withdrawals.amount}), 0)::bigint` })
    .from(withdrawals)
    .where(
      and(
        eq(withdrawals.userId, userId),
        inArray(withdrawals.status, [WITHDRAWAL_STATUS.waiting, WITHDRAWAL_STATUS.approved]),
      ),
    );
  return row?.sum ?? 0;
}

const monthRow = z.object({ month: z.string(), earned: z.int(), spent: z.int(), recharged: z.int() });
export type MonthRow = z.output<typeof monthRow>;

/** Returns only months with movements; a refunded recharge reduces `recharged`. */
export async function listMonthlySums(db: Db, userId: string, from: Date): Promise<MonthRow[]> {
  const result = await db.execute(sql`
    select to_char(line.created_at at time zone 'Asia/Shanghai', 'YYYY-MM') as month,
      coalesce(sum(line.amount) filter (where account = 'earnings' and entry.kind not like 'withdraw%'), 0)::bigint
        as earned,
      coalesce(-sum(line.amount) filter (where account = 'balance' and not recharge), 0)::bigint as spent,
      coalesce(sum(line.amount) filter (where account = 'balance' and recharge), 0)::bigint as recharged
    from ledger_lines as line
    join ledger_accounts on ledger_accounts.id = line.account_id
    join ledger_entries as entry on entry.id = line.entry_id
    cross join lateral (
      select entry.kind in ('recharge', 'overpaid') or (entry.kind = 'refund' and line.amount < 0) as recharge
    ) as kinds
    where line.user_id = ${userId} and line.created_at >= ${from.toISOString()}
    group by 1`);
  return parseRows(monthRow, result);
}

export interface WalletRow extends WalletMovement {
  id: string;
  balanceAfter: number;
  orderId: string | null;
  createdAt: Date;
}

const sqlPocket = sqlAs(z.enum(['balance', 'earnings']));

export async function listWalletEntries(
  db: Db,
  query: PageQuery & {
    userId: string;
    month?: string | undefined;
    pocket?: WalletEntry['pocket'] | undefined;
  },
): Promise<Page<WalletRow>> {
  const { userId, month, pocket } = query;
  const range = month === undefined ? null : monthRange(month);
  const match = and(
    eq(ledgerLines.userId, userId),
    pocket === undefined ? undefined : eq(ledgerLines.accountId, accountOf(userId, pocket)),
    range === null
      ? undefined
      : and(gte(ledgerLines.createdAt, range.from), lt(ledgerLines.createdAt, range.to)),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({
          id: ledgerLines.id,
          kind: ledgerEntries.kind,
          title: ledgerEntries.title,
          pocket: sqlPocket`${ledgerAccounts.account}`,
          amount: ledgerLines.amount,
          balanceAfter: ledgerLines.balanceAfter,
          orderId: ledgerEntries.orderId,
          orderKind: orders.kind,
          createdAt: ledgerLines.createdAt,
        })
        .from(ledgerLines)
        .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerLines.accountId))
        .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
        .leftJoin(orders, eq(orders.id, ledgerEntries.orderId))
        .where(and(match, after === null ? undefined : isAfterCursor(after.at(-1) ?? '')))
        .orderBy(desc(ledgerLines.createdAt), desc(ledgerLines.position))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(ledgerLines, match),
    key: (row) => [row.id],
  });
}

const accountOf = (userId: string, pocket: WalletEntry['pocket']) => sql`(
  select id from ledger_accounts where user_id = ${userId} and account = ${pocket})`;

const isAfterCursor = (id: string) => sql`(${ledgerLines.createdAt}, ${ledgerLines.position}) < (
  select last.created_at, last.position from ledger_lines as last where last.id = ${id})`;

export async function insertWithdrawal(
  db: Db,
  withdrawal: typeof withdrawals.$inferInsert,
): Promise<WithdrawalRow> {
  const [inserted] = await db.insert(withdrawals).values(withdrawal).returning();
  if (inserted === undefined) throw new Error('nothing was inserted');
  return inserted;
}

export const withdrawalRows = createRowQueries(withdrawals, '没有找到这笔提现');

export const listWithdrawals = (
  db: Db,
  query: PageQuery & { userId: string },
): Promise<Page<WithdrawalRow>> =>
  listPage(db, query, {
    select: db.select().from(withdrawals),
    match: eq(withdrawals.userId, query.userId),
    id: withdrawals.id,
    key: ({ id }) => [id],
  });

export interface StaffWithdrawalRow {
  withdrawal: WithdrawalRow;
  user: User | null;
  decider: User | null;
  earnings: number;
}

const deciders = alias(users, 'deciders');
const selectForStaff = (db: Db) =>
  db
    .select({
      withdrawal: withdrawals,
      user: users,
      decider: deciders,
      earnings: sqlInt`coalesce(${ledgerAccounts.balance}, 0)`,
    })
    .from(withdrawals)
    .leftJoin(users, eq(users.id, withdrawals.userId))
    .leftJoin(deciders, eq(deciders.id, withdrawals.decidedBy))
    .leftJoin(
      ledgerAccounts,
      and(eq(ledgerAccounts.userId, withdrawals.userId), eq(ledgerAccounts.account, 'earnings')),
    );

export async function getStaffWithdrawal(db: Db, id: string): Promise<StaffWithdrawalRow> {
  const [row] = await selectForStaff(db).where(eq(withdrawals.id, id));
  if (row === undefined) throw withdrawalRows.notFoundError();
  return row;
}

export interface StaffWithdrawalQuery extends PageQuery, DayBounds {
  status?: Withdrawal['status'] | undefined;
  keyword?: string | undefined;
  userId?: string | undefined;
  sort: 'createdAt' | 'amount';
  isDescending: boolean;
}

export function listStaffWithdrawals(db: Db, query: StaffWithdrawalQuery): Promise<Page<StaffWithdrawalRow>> {
  const { status, keyword, userId, sort, isDescending } = query;
  const match = and(
    status === undefined ? undefined : eq(withdrawals.status, status),
    userId === undefined ? undefined : eq(withdrawals.userId, userId),
    createdWithin(withdrawals.createdAt, query),
    keyword
      ? or(eq(withdrawals.no, keyword), sql`${withdrawals.userId} in (${userIdsMatching(keyword)})`)
      : undefined,
  );
  const isByAmount = sort === 'amount';
  return listPage(db, query, {
    select: selectForStaff(db),
    match,
    by: isByAmount ? withdrawals.amount : timeSortColumn(withdrawals.createdAt, query),
    id: withdrawals.id,
    isDescending,
    key: ({ withdrawal }) => [isByAmount ? withdrawal.amount : withdrawal.createdAt, withdrawal.id],
    maxCounted: keyword ? MAX_COUNTED_ROWS : undefined,
  });
}

export async function removeWithdrawalsOf(db: Db, userIds: string[]): Promise<void> {
  await db.delete(withdrawals).where(inArray(withdrawals.userId, userIds));
}
