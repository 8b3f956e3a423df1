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

/** A day of one provider; of differences there are not more than `limit`. */
export interface Day {
  provider: PayBy;
  from: Date;
  to: Date;
  limit: number;
}

const within = (column: SQL, { from, to }: Day): SQL =>
  sql`${column} >= ${from.toISOString()}::timestamptz and ${column} < ${to.toISOString()}::timestamptz`;

/** What an order moved at its provider: paid in, and paid back once that is settled. Kept for the payer is neither. */
const movements = (day: Day): SQL => sql`
  select id, no, user_id, 'payment' as kind, amount, paid_at as since from ${orders}
  where pay_by = ${day.provider} and ${within(sql`paid_at`, day)}
  union all
  select id, no, user_id, 'refund', amount, refunded_at from ${orders}
  where pay_by = ${day.provider} and ${within(sql`refund_settled_at`, day)} and refunded_by is not null`;

/** The accounts on which this shows: what the provider holds, or the payer's own balance. */
const isItsAccount = ({ provider }: Day): SQL =>
  provider === 'balance'
    ? sql`account.account = 'balance' and coalesce(orders.pay_by, 'balance') = 'balance'`
    : sql`account.account = 'clearing' and account.provider = ${provider}`;

export async function sumOrders(db: Db, day: Day): Promise<Sums> {
  const result = await db.execute(sql`
    select count(*) as count, coalesce(sum(amount) filter (where kind = 'payment'), 0)::bigint as paid,
      coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded
    from (${movements(day)}) as moved`);
  return parseRow(sumsRow, result);
}

const bookedThen = (day: Day): SQL => sql`
  from ${ledgerEntries} as entry
  join ${ledgerLines} as line on line.entry_id = entry.id
  join ${ledgerAccounts} as account on account.id = line.account_id
  left join ${orders} on orders.id = entry.order_id
  where ${within(sql`entry.created_at`, day)} and entry.order_id is not null and ${isItsAccount(day)}`;

export async function sumLedger(db: Db, day: Day): Promise<Sums> {
  const result = await db.execute(sql`
    select count(*) as count, coalesce(-sum(line.amount) filter (where line.amount < 0), 0)::bigint as paid,
      coalesce(sum(line.amount) filter (where line.amount > 0), 0)::bigint as refunded
    ${bookedThen(day)}`);
  return parseRow(sumsRow, result);
}

const unbookedRow = z.object({
  id: z.string(),
  no: z.string(),
  kind,
  amount: z.int(),
  /** What the ledger has of it, on whatever day. */
  booked: z.int(),
});
export type Unbooked = z.output<typeof unbookedRow>;

/** Movements of orders that the ledger does not have, or not with this amount. */
export async function listUnbooked(db: Db, day: Day): Promise<Unbooked[]> {
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
      where entry.order_id = moved.id and ${isItsAccount(day)}
    ) as booked on true
    where coalesce(booked.amount, 0) <> moved.amount
    order by moved.id limit ${day.limit}`);
  return parseRows(unbookedRow, result);
}

const strayRow = z.object({
  orderId: z.string(),
  title: z.string(),
  amount: z.int(),
  /** Null: there is no such order. */
  no: z.string().nullable(),
});
export type Stray = z.output<typeof strayRow>;

/** What the ledger has of orders that are not there, or not paid. */
export async function listStrays(db: Db, day: Day): Promise<Stray[]> {
  const result = await db.execute(sql`
    select entry.order_id as "orderId", entry.title, line.amount, orders.no
    ${bookedThen(day)} and orders.paid_at is null
    order by entry.id limit ${day.limit}`);
  return parseRows(strayRow, result);
}

/** By order and kind: a provider may list one thing in several lines. */
const stated = (lines: StatementLine[]): SQL => sql`
  select no, kind, sum(amount)::bigint as amount
  from unnest(
    ${sql.param(lines.map((line) => line.no))}::text[], ${sql.param(lines.map((line) => line.kind))}::text[],
    ${sql.param(lines.map((line) => line.amount))}::bigint[]
  ) as line (no, kind, amount)
  group by 1, 2`;

const toldRow = z.object({
  no: z.string(),
  kind,
  amount: z.int(),
  order: z
    .object({ id: z.string(), amount: z.int(), isPaid: z.boolean(), isRefunded: z.boolean() })
    .nullable(),
});
export type Told = z.output<typeof toldRow>;

/** What the provider says and the orders do not, whenever they were paid. */
export async function listTold(db: Db, day: Day, lines: StatementLine[]): Promise<Told[]> {
  const result = await db.execute(sql`
    with stated as (${stated(lines)})
    select stated.no, stated.kind, stated.amount, case when orders.id is not null then jsonb_build_object(
      'id', replace(orders.id::text, '-', ''), 'amount', orders.amount, 'isPaid', orders.paid_at is not null,
      'isRefunded', orders.refunded_by is not null) end as order
    from stated left join ${orders} on orders.no = stated.no and orders.pay_by = ${day.provider}
    where orders.id is null or orders.paid_at is null or orders.amount <> stated.amount
      or (stated.kind = 'refund' and orders.refunded_by is null)
    order by stated.no, stated.kind limit ${day.limit}`);
  return parseRows(toldRow, result);
}

const unstatedRow = z.object({
  id: z.string(),
  no: z.string(),
  kind,
  amount: z.int(),
  /** The day when it was paid, or its refund asked for. */
  since: z.string(),
});
export type Unstated = z.output<typeof unstatedRow>;

/** What the orders say and the provider does not. */
export async function listUnstated(db: Db, day: Day, lines: StatementLine[]): Promise<Unstated[]> {
  const result = await db.execute(sql`
    with stated as (${stated(lines)})
    select moved.id, moved.no, moved.kind, moved.amount,
      to_char(moved.since at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as since
    from (${movements(day)}) as moved
    where not exists (select from stated where stated.no = moved.no and stated.kind = moved.kind)
    order by moved.id limit ${day.limit}`);
  return parseRows(unstatedRow, result);
}

const providerRow = z.object({ payBy });

/** Who took money for us on this day, configured or not. */
export async function listProviders(db: Db, day: Pick<Day, 'from' | 'to'>): Promise<PayBy[]> {
  const result = await db.execute(sql`
    select distinct pay_by as "payBy" from ${orders}
    where paid_at >= ${day.from.toISOString()}::timestamptz and paid_at < ${day.to.toISOString()}::timestamptz`);
  return parseRows(providerRow, result).map((row) => row.payBy);
}
