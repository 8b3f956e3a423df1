import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { payBy } from '@mozhan/contract/prices.ts';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow, parseRows } from '../../../../db/rows.ts';
import { ledgerAccounts, ledgerEntries, ledgerLines } from '../../../platform/ledger/tables.ts';
import type { StatementLine } from '../../orders/index.ts';
import { orders } from '../../orders/tables.ts';

type Sums = Reconciliation['ledger'];

const sumsRow = z.object({ count: z.int(), paid: z.int(), refunded: z.int() });
const kind = z.enum(['payment', 'refund']);

/** One day of one provider; `limit` is the maximum number of differences per query. */
export interface ProviderDay {
  provider: PayBy;
  from: Date;
  to: Date;
  limit: number;
}

const within = (column: SQL, { from, to }: ProviderDay): SQL =>
  sql`${column} >= ${from.toISOString()}::timestamptz and ${column} < ${to.toISOString()}::timestamptz`;

/** Payments and settled refunds of orders at the provider; credits to the payer's balance are neither. */
const movements = (day: ProviderDay): SQL => sql`
  select id, no, user_id, 'payment' as kind, amount, paid_at as since from ${orders}
  where pay_by = ${day.provider} and ${within(sql`paid_at`, day)}
  union all
  select id, no, user_id, 'refund', amount, refunded_at from ${orders}
  where pay_by = ${day.provider} and ${within(sql`refund_settled_at`, day)} and refunded_by is not null`;

/** The ledger accounts affected: clearing of the provider, or the payer's balance. */
const isAffectedAccount = ({ provider }: ProviderDay): SQL =>
  provider === 'balance'
    ? sql`account.account = 'balance' and coalesce(orders.pay_by, 'balance') = 'balance'`
    : sql`account.account = 'clearing' and account.provider = ${provider}`;

export async function sumOrders(db: Db, day: ProviderDay): Promise<Sums> {
  const result = await db.execute(sql`
    select count(*) as count, coalesce(sum(amount) filter (where kind = 'payment'), 0)::bigint as paid,
      coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded
    from (${movements(day)}) as moved`);
  return parseRow(sumsRow, result);
}

const postedOnDay = (day: ProviderDay): SQL => sql`
  from ${ledgerEntries} as entry
  join ${ledgerLines} as line on line.entry_id = entry.id
  join ${ledgerAccounts} as account on account.id = line.account_id
  left join ${orders} on orders.id = entry.order_id
  where ${within(sql`entry.created_at`, day)} and entry.order_id is not null and ${isAffectedAccount(day)}`;

export async function sumLedger(db: Db, day: ProviderDay): Promise<Sums> {
  const result = await db.execute(sql`
    select count(*) as count, coalesce(-sum(line.amount) filter (where line.amount < 0), 0)::bigint as paid,
      coalesce(sum(line.amount) filter (where line.amount > 0), 0)::bigint as refunded
    ${postedOnDay(day)}`);
  return parseRow(sumsRow, result);
}

const notPostedRow = z.object({
  id: z.string(),
  no: z.string(),
  kind,
  amount: z.int(),
  /** Amount in the ledger, on any day. */
  booked: z.int(),
});
export type NotPosted = z.output<typeof notPostedRow>;

export async function listNotPosted(db: Db, day: ProviderDay): Promise<NotPosted[]> {
  const result = await db.execute(sql`
    select moved.id, moved.no, moved.kind, moved.amount, coalesce(booked.amount, 0) as booked
    from (${movements(day)}) as moved
    join ${orders} on orders.id = moved.id
    left join lateral (
      select sum(case moved.kind when 'payment' then greatest(-line.amount, 0) else greatest(line.amount, 0) end)
        ::bigint as amount
      from ${ledgerEntries} as entry
      join ${ledgerLines} as line on line.entry_id = entry.id
      join ${ledgerAccounts} as account on account.id = line.account_id
      where entry.order_id = moved.id and ${isAffectedAccount(day)}
    ) as booked on true
    where coalesce(booked.amount, 0) <> moved.amount
    order by moved.id limit ${day.limit}`);
  return parseRows(notPostedRow, result);
}

const orphanEntryRow = z.object({
  orderId: z.string(),
  title: z.string(),
  amount: z.int(),
  /** Null if the order does not exist. */
  no: z.string().nullable(),
});
export type OrphanEntry = z.output<typeof orphanEntryRow>;

export async function listOrphanEntries(db: Db, day: ProviderDay): Promise<OrphanEntry[]> {
  const result = await db.execute(sql`
    select entry.order_id as "orderId", entry.title, line.amount, orders.no
    ${postedOnDay(day)} and orders.paid_at is null
    order by entry.id limit ${day.limit}`);
  return parseRows(orphanEntryRow, result);
}

/** Sums by order and kind, because a provider may split a payment into several lines. */
const statementSums = (lines: StatementLine[]): SQL => sql`
  select no, kind, sum(amount)::bigint as amount
  from unnest(
    ${sql.param(lines.map((line) => line.no))}::text[], ${sql.param(lines.map((line) => line.kind))}::text[],
    ${sql.param(lines.map((line) => line.amount))}::bigint[]
  ) as line (no, kind, amount)
  group by 1, 2`;

const mismatchRow = z.object({
  no: z.string(),
  kind,
  amount: z.int(),
  order: z
    .object({ id: z.string(), amount: z.int(), isPaid: z.boolean(), isRefunded: z.boolean() })
    .nullable(),
});
export type StatementMismatch = z.output<typeof mismatchRow>;

/** Lists statement lines that do not match an order of any day. */
export async function listStatementMismatches(
  db: Db,
  day: ProviderDay,
  lines: StatementLine[],
): Promise<StatementMismatch[]> {
  const result = await db.execute(sql`
    with stated as (${statementSums(lines)})
    select stated.no, stated.kind, stated.amount, case when orders.id is not null then jsonb_build_object(
      'id', replace(orders.id::text, '-', ''), 'amount', orders.amount, 'isPaid', orders.paid_at is not null,
      'isRefunded', orders.refunded_by is not null) end as order
    from stated left join ${orders} on orders.no = stated.no and orders.pay_by = ${day.provider}
    where orders.id is null or orders.paid_at is null or orders.amount <> stated.amount
      or (stated.kind = 'refund' and orders.refunded_by is null)
    order by stated.no, stated.kind limit ${day.limit}`);
  return parseRows(mismatchRow, result);
}

const missingRow = z.object({
  id: z.string(),
  no: z.string(),
  kind,
  amount: z.int(),
  /** The day of the payment or of the refund request. */
  since: z.string(),
});
export type MissingFromStatement = z.output<typeof missingRow>;

export async function listMissingFromStatement(
  db: Db,
  day: ProviderDay,
  lines: StatementLine[],
): Promise<MissingFromStatement[]> {
  const result = await db.execute(sql`
    with stated as (${statementSums(lines)})
    select moved.id, moved.no, moved.kind, moved.amount,
      to_char(moved.since at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as since
    from (${movements(day)}) as moved
    where not exists (select from stated where stated.no = moved.no and stated.kind = moved.kind)
    order by moved.id limit ${day.limit}`);
  return parseRows(missingRow, result);
}

const providerRow = z.object({ payBy });

/** Lists the payment methods used on this day, whether still configured or not. */
export async function listProviders(db: Db, day: Pick<ProviderDay, 'from' | 'to'>): Promise<PayBy[]> {
  const result = await db.execute(sql`
    select distinct pay_by as "payBy" from ${orders}
    where paid_at >= ${day.from.toISOString()}::timestamptz and paid_at < ${day.to.toISOString()}::timestamptz`);
  return parseRows(providerRow, result).map((row) => row.payBy);
}
