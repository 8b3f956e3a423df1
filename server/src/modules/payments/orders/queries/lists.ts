import type { Page } from '@mozhan/contract/common.ts';
import type { OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { and, desc, eq, gte, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type Days, madeWithin, sorted, timeOrder } from '../../../../db/sort.ts';
import { CAP, idsFoundBy } from '../../../accounts/users/index.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type OrderRow, orders } from '../tables.ts';
import { noOrder } from './orders.ts';

interface Wanted {
  kind?: OrderKind | undefined;
  status?: OrderStatus | undefined;
}

const matches = ({ kind, status }: Wanted): SQL | undefined =>
  and(
    kind === undefined ? undefined : eq(orders.kind, kind),
    status === undefined ? undefined : eq(orders.status, status),
  );

/** More than a thousand are counted as so many. */
async function count(db: Db, match: SQL | undefined): Promise<number> {
  return db.$count(db.select({ id: orders.id }).from(orders).where(match).limit(CAP).as('some'));
}

const behind = (after: string[] | null): SQL | undefined =>
  after === null ? undefined : lt(orders.id, after.at(-1) ?? '');

/** Somebody's own, the newest first. */
export function listOwn(db: Db, query: PageQuery & Wanted & { userId: string }): Promise<Page<OrderRow>> {
  const match = and(eq(orders.userId, query.userId), matches(query));
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(orders)
        .where(and(match, behind(after)))
        .orderBy(desc(orders.id))
        .offset(offset)
        .limit(limit),
    total: () => count(db, match),
    key: (row) => [row.id],
  });
}

export interface StaffRow {
  order: OrderRow;
  /** Null: gone. */
  user: User | null;
  payee: User | null;
  refunder: User | null;
}

const payees = alias(users, 'payees');
const refunders = alias(users, 'refunders');

const selectForStaff = (db: Db) =>
  db
    .select({ order: orders, user: users, payee: payees, refunder: refunders })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .leftJoin(payees, eq(payees.id, orders.payeeId))
    .leftJoin(refunders, eq(refunders.id, orders.refundedBy));

export async function getForStaff(db: Db, id: string): Promise<StaffRow> {
  const [row] = await selectForStaff(db).where(eq(orders.id, id));
  if (row === undefined) throw noOrder();
  return row;
}

export interface StaffQuery extends PageQuery, Wanted, Days {
  keyword?: string | undefined;
  userId?: string | undefined;
  payBy?: PayBy | undefined;
  invoice?: 1 | undefined;
  /** Fen. */
  least?: number | undefined;
  most?: number | undefined;
  sort: 'createdAt' | 'amount';
  isDescending: boolean;
}

const whereForStaff = (query: StaffQuery): SQL | undefined => {
  const { keyword, userId, payBy, invoice, least, most } = query;
  return and(
    matches(query),
    userId === undefined ? undefined : eq(orders.userId, userId),
    payBy === undefined ? undefined : eq(orders.payBy, payBy),
    invoice === undefined ? undefined : isNotNull(orders.invoice),
    least === undefined ? undefined : gte(orders.amount, least),
    most === undefined ? undefined : lte(orders.amount, most),
    madeWithin(orders.createdAt, query),
    keyword
      ? or(
          eq(orders.no, keyword),
          eq(orders.tradeNo, keyword),
          sql`${orders.userId} in (${idsFoundBy(keyword)})`,
        )
      : undefined,
  );
};

export function listForStaff(db: Db, query: StaffQuery): Promise<Page<StaffRow>> {
  const match = whereForStaff(query);
  const isByAmount = query.sort === 'amount';
  const by = isByAmount ? orders.amount : timeOrder(orders.createdAt, query);
  const { order, behind } = sorted({ by, id: orders.id, isDescending: query.isDescending });
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectForStaff(db)
        .where(and(match, behind(after)))
        .orderBy(...order)
        .offset(offset)
        .limit(limit),
    total: () => count(db, match),
    key: ({ order }) => [isByAmount ? String(order.amount) : order.createdAt.toISOString(), order.id],
    parts: [isByAmount ? 'bigint' : 'time'],
  });
}
