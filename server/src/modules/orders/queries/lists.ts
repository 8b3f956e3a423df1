import { and, desc, eq, gte, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Page } from '#contract/common.ts';
import type { OrderKind, OrderStatus } from '#contract/orders.ts';
import type { PayBy } from '#contract/prices.ts';
import type { Db } from '../../../db/client.ts';
import { type PageQuery, readPage } from '../../../db/page.ts';
import { CAP, idsFoundBy } from '../../users/index.ts';
import { type User, users } from '../../users/tables.ts';
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

export interface StaffQuery extends PageQuery, Wanted {
  keyword?: string | undefined;
  userId?: string | undefined;
  payBy?: PayBy | undefined;
  invoice?: 1 | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = 86_400_000;
const midnight = (day: string): Date => new Date(`${day}T00:00:00+08:00`);

/** The smallest id of a moment: ids grow with time, and the list is in their order. */
const idFrom = (time: Date): SQL =>
  sql`${`${time.getTime().toString(16).padStart(12, '0')}${'0'.repeat(20)}`}::uuid`;

export function listForStaff(db: Db, query: StaffQuery): Promise<Page<StaffRow>> {
  const { keyword, from, to } = query;
  const match = and(
    matches(query),
    query.userId === undefined ? undefined : eq(orders.userId, query.userId),
    query.payBy === undefined ? undefined : eq(orders.payBy, query.payBy),
    query.invoice === undefined ? undefined : isNotNull(orders.invoice),
    from === undefined ? undefined : gte(orders.id, idFrom(midnight(from))),
    to === undefined ? undefined : lt(orders.id, idFrom(new Date(midnight(to).getTime() + DAY))),
    keyword
      ? or(
          eq(orders.no, keyword),
          eq(orders.tradeNo, keyword),
          sql`${orders.userId} in (${idsFoundBy(keyword)})`,
        )
      : undefined,
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectForStaff(db)
        .where(and(match, behind(after)))
        .orderBy(desc(orders.id))
        .offset(offset)
        .limit(limit),
    total: () => count(db, match),
    key: ({ order }) => [order.id],
  });
}
