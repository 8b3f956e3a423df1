import type { Page } from '@mozhan/contract/common.ts';
import type { OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { and, eq, gte, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { userIdsMatching } from '../../../accounts/users/index.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type OrderRow, orders } from '../tables.ts';
import { orderNotFound } from './orders.ts';

interface OrderFilter {
  kind?: OrderKind | undefined;
  status?: OrderStatus | undefined;
}

const matches = ({ kind, status }: OrderFilter): SQL | undefined =>
  and(
    kind === undefined ? undefined : eq(orders.kind, kind),
    status === undefined ? undefined : eq(orders.status, status),
  );

/** Newest first. */
export function listOwnOrders(
  db: Db,
  query: PageQuery & OrderFilter & { userId: string },
): Promise<Page<OrderRow>> {
  const match = and(eq(orders.userId, query.userId), matches(query));
  return listPage(db, query, {
    select: db.select().from(orders),
    match,
    id: orders.id,
    key: (order) => [order.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}

export interface StaffOrderRow {
  order: OrderRow;
  /** Null if the user was deleted. */
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

export async function getStaffOrder(db: Db, id: string): Promise<StaffOrderRow> {
  const [row] = await selectForStaff(db).where(eq(orders.id, id));
  if (row === undefined) throw orderNotFound();
  return row;
}

export interface StaffOrderQuery extends PageQuery, OrderFilter, DayBounds {
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

const whereForStaff = (query: StaffOrderQuery): SQL | undefined => {
  const { keyword, userId, payBy, invoice, least, most } = query;
  return and(
    matches(query),
    userId === undefined ? undefined : eq(orders.userId, userId),
    payBy === undefined ? undefined : eq(orders.payBy, payBy),
    invoice === undefined ? undefined : isNotNull(orders.invoice),
    least === undefined ? undefined : gte(orders.amount, least),
    most === undefined ? undefined : lte(orders.amount, most),
    createdWithin(orders.createdAt, query),
    keyword
      ? or(
          eq(orders.no, keyword),
          eq(orders.tradeNo, keyword),
          sql`${orders.userId} in (${userIdsMatching(keyword)})`,
        )
      : undefined,
  );
};

export function listStaffOrders(db: Db, query: StaffOrderQuery): Promise<Page<StaffOrderRow>> {
  const isByAmount = query.sort === 'amount';
  return listPage(db, query, {
    select: selectForStaff(db),
    match: whereForStaff(query),
    by: isByAmount ? orders.amount : timeSortColumn(orders.createdAt, query),
    id: orders.id,
    isDescending: query.isDescending,
    key: ({ order }) => [isByAmount ? order.amount : order.createdAt, order.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}
