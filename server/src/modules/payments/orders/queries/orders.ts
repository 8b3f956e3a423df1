import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Invoice, PaymentInstructions } from '@mozhan/contract/orders.ts';
import { and, eq, getTableColumns, lte, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { isDeadlock } from '../../../../db/errors.ts';
import { idRow, parseRow, parseRows } from '../../../../db/rows.ts';
import type { EntryJson } from '../../../platform/ledger/index.ts';
import { isReadingRight, purchaseKindOf } from '../rules.ts';
import { type OrderRow, orders, unnotifiedOrders } from '../tables.ts';

export const orderNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这张订单' });

export async function findOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  return order ?? null;
}

export async function getOrder(db: Db, id: string): Promise<OrderRow> {
  const order = await findOrder(db, id);
  if (order === null) throw orderNotFound();
  return order;
}

export async function findOrderByNo(db: Db, no: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.no, no));
  return order ?? null;
}

export async function findOrderByRequestId(
  db: Db,
  userId: string,
  requestId: string,
): Promise<OrderRow | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.requestId, requestId)));
  return order ?? null;
}

/** Serialises changes of an order. */
export async function lockOrder(db: Db, id: string): Promise<OrderRow> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id)).for('no key update');
  if (order === undefined) throw orderNotFound();
  return order;
}

export async function lockOrderByNo(db: Db, no: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.no, no)).for('no key update');
  return order ?? null;
}

/** Returns false if the request id was used before. */
export async function insertWaitingOrder(db: Db, order: OrderRow): Promise<boolean> {
  const rows = await db.insert(orders).values(order).onConflictDoNothing().returning({ id: orders.id });
  return rows.length > 0;
}

const columns = Object.entries(getTableColumns(orders)).map(
  ([key, { name }]) => [key as keyof OrderRow, name] as const,
);

const toRow = (order: OrderRow): Record<string, unknown> =>
  Object.fromEntries(columns.map(([key, name]) => [name, order[key]]));

export interface InsertedOrder {
  /** False if the request id was used before. */
  isNew: boolean;
  /** Other waiting orders for the same content. */
  cancelledIds: string[];
}

const insertedRow = z.object({ inserted: z.boolean(), cancelled: z.array(z.string()) });

export async function insertPaidOrder(db: Db, order: OrderRow): Promise<InsertedOrder> {
  const purchaseKind = isReadingRight(order.kind) ? purchaseKindOf(order) : null;
  const result = await db.execute(
    sql`select * from order_insert(${JSON.stringify(toRow(order))}, ${purchaseKind})`,
  );
  const { inserted, cancelled } = parseRow(insertedRow, result);
  return { isNew: inserted, cancelledIds: cancelled };
}

export interface Purchase {
  order: OrderRow;
  entry: EntryJson;
}

const purchasedRow = z.object({ id: z.string(), inserted: z.boolean().nullable() });

/**
 * Inserts orders, purchases and ledger entries in one statement, so that locks on the authors' accounts are not held
 * during round trips to this process. The result of an order is null or missing if nothing was done for it.
 */
export async function buyAll(db: Db, purchases: Purchase[]): Promise<Map<string, boolean | null>> {
  const batch = purchases.map(({ order, entry }) => ({
    order: toRow(order),
    kind: purchaseKindOf(order),
    entry,
  }));
  try {
    const result = await db.execute(
      sql`select order_id as id, inserted from order_buy_all(${JSON.stringify(batch)}::jsonb)`,
    );
    return new Map(parseRows(purchasedRow, result).map(({ id, inserted }) => [id, inserted]));
  } catch (error) {
    if (isDeadlock(error)) return new Map();
    throw error;
  }
}

/**
 * Selects the user's other waiting orders for the same content. Skips locked ones, which are being paid: their payment
 * finds that the content is already owned.
 */
const otherWaitingOrders = ({ id, userId, targetId }: OrderRow) => sql`
  select id from orders
  where target_id = ${targetId} and user_id = ${userId} and status = ${ORDER_STATUS.waiting} and id <> ${id}
  for no key update skip locked`;

async function update(db: Db, id: string, fields: Partial<OrderRow>): Promise<OrderRow> {
  const [order] = await db.update(orders).set(fields).where(eq(orders.id, id)).returning();
  if (order === undefined) throw orderNotFound();
  return order;
}

export const updatePaymentInstructions = (db: Db, id: string, pay: PaymentInstructions): Promise<OrderRow> =>
  update(db, id, { pay });

export const updateInvoice = (db: Db, id: string, invoice: Invoice): Promise<OrderRow> =>
  update(db, id, { invoice });

/** Requires the lock on the order. */
export async function updatePaid(
  db: Db,
  id: string,
  { tradeNo, paidAt, now }: { tradeNo: string; paidAt: Date; now: Date },
): Promise<OrderRow> {
  await db.insert(unnotifiedOrders).values({ orderId: id, createdAt: now });
  return update(db, id, { status: ORDER_STATUS.paid, tradeNo, paidAt });
}

export const updateOverpaid = (
  db: Db,
  id: string,
  { tradeNo, paidAt, now, reason }: { tradeNo: string; paidAt: Date; now: Date; reason: string },
): Promise<OrderRow> =>
  update(db, id, {
    status: ORDER_STATUS.refunded,
    tradeNo,
    paidAt,
    refundedAt: now,
    refundSettledAt: now,
    refundReason: reason,
  });

export const updateRefunded = (
  db: Db,
  id: string,
  fields: Pick<OrderRow, 'refundedAt' | 'refundReason' | 'refundedBy' | 'refundSettledAt'>,
): Promise<OrderRow> => update(db, id, { status: ORDER_STATUS.refunded, ...fields });

export const updateRefundSettled = (db: Db, id: string, now: Date): Promise<OrderRow> =>
  update(db, id, { refundSettledAt: now, refundProblem: null });

export const updateRefundProblem = (
  db: Db,
  id: string,
  fields: Pick<OrderRow, 'refundProblem'> & Partial<Pick<OrderRow, 'refundAttempt'>>,
): Promise<OrderRow> => update(db, id, fields);

/** Requires the lock on the order. Clearing the request id allows the request to be repeated. */
export const updateCancelled = (db: Db, id: string, clearRequestId = false): Promise<OrderRow> =>
  update(db, id, { status: ORDER_STATUS.cancelled, ...(clearRequestId ? { requestId: null } : {}) });

export async function cancelOtherOrders(db: Db, order: OrderRow): Promise<string[]> {
  const result = await db.execute(sql`
    update orders set status = ${ORDER_STATUS.cancelled} where id in (${otherWaitingOrders(order)}) returning id`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** Lists waiting orders whose next query is due, the most overdue first. */
export const listOrdersToQuery = (db: Db, now: Date, limit: number): Promise<OrderRow[]> =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.status, ORDER_STATUS.waiting), lte(orders.askAt, now)))
    .orderBy(orders.askAt)
    .limit(limit);

export async function updateNextQuery(db: Db, id: string, askAt: Date): Promise<void> {
  await db.update(orders).set({ askAt }).where(eq(orders.id, id));
}
