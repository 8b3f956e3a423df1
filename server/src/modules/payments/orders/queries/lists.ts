import type { Page } from '@mozhan/contract/common.ts';
import type { OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { and, eq, gte, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { MOST_COUNTED } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type Days, madeWithin, timeOrder } from '../../../../db/sort.ts';
import { idsFoundBy } from '../../../accounts/users/index.ts';
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

/** Somebody's own, the newest first. */
export function listOwn(db: Db, query: PageQuery & Wanted & { userId: string }): Promise<Page<OrderRow>> {
  const match = and(eq(orders.userId, query.userId), matches(query));
  return listPage(db, query, {
    select: db.select().from(orders),
    match,
    id: orders.id,
    key: (order) => [order.id],
    maxCounted: MOST_COUNTED,
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
  const isByAmount = query.sort === 'amount';
  return listPage(db, query, {
    select: selectForStaff(db),
    match: whereForStaff(query),
    by: isByAmount ? orders.amount : timeOrder(orders.createdAt, query),
    id: orders.id,
    isDescending: query.isDescending,
    key: ({ order }) => [isByAmount ? order.amount : order.createdAt, order.id],
    maxCounted: MOST_COUNTED,
  });
}
