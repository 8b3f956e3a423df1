import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Invoice, Pay } from '@mozhan/contract/orders.ts';
import { and, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { isDeadlock } from '../../../../db/errors.ts';
import { idRow, parseRow, parseRows } from '../../../../db/rows.ts';
import { isKept, kindOfPurchase } from '../rules.ts';
import { type OrderRow, orders, untoldOrders } from '../tables.ts';

export const noOrder = () => new CallError('NOT_FOUND', { message: '没有找到这张订单' });

export async function findOrder(db: Db, id: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  return order ?? null;
}

export async function getOrder(db: Db, id: string): Promise<OrderRow> {
  const order = await findOrder(db, id);
  if (order === null) throw noOrder();
  return order;
}

export async function findByNo(db: Db, no: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.no, no));
  return order ?? null;
}

export async function findByRequest(db: Db, userId: string, requestId: string): Promise<OrderRow | null> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.requestId, requestId)));
  return order ?? null;
}

/** Whatever becomes of an order is decided by one after the other. */
export async function lockOrder(db: Db, id: string): Promise<OrderRow> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id)).for('no key update');
  if (order === undefined) throw noOrder();
  return order;
}

export async function lockByNo(db: Db, no: string): Promise<OrderRow | null> {
  const [order] = await db.select().from(orders).where(eq(orders.no, no)).for('no key update');
  return order ?? null;
}

/** False: the request was made before. */
export async function insertWaiting(db: Db, order: OrderRow): Promise<boolean> {
  const rows = await db.insert(orders).values(order).onConflictDoNothing().returning({ id: orders.id });
  return rows.length > 0;
}

const columns = Object.entries(getTableColumns(orders)).map(
  ([key, { name }]) => [key as keyof OrderRow, name] as const,
);

const toJson = (order: OrderRow): string =>
  JSON.stringify(Object.fromEntries(columns.map(([key, name]) => [name, order[key]])));

export interface Placed {
  /** False: the request was made before. */
  isNew: boolean;
  /** Other orders for it. */
  cancelledIds: string[];
}

const placedRow = z.object({ placed: z.boolean(), cancelled: z.array(z.string()) });

/** An order that is paid as it is made, and what it delivers for reading. */
export async function insertPaid(db: Db, order: OrderRow): Promise<Placed> {
  const keptAs = isKept(order.kind) ? kindOfPurchase(order) : null;
  const result = await db.execute(sql`select * from order_place(${toJson(order)}, ${keptAs})`);
  const { placed, cancelled } = parseRow(placedRow, result);
  return { isNew: placed, cancelledIds: cancelled };
}

const boughtRow = z.object({ placed: z.boolean().nullable() });

/**
 * The same with what moves by it, in one statement that is a transaction of its own: nobody who buys of the same author
 * waits for this process. Null: nothing was done, and there is more to look at.
 */
export async function insertBought(db: Db, order: OrderRow, book: SQL): Promise<boolean | null> {
  try {
    const result = await db.execute(sql`
      select placed, case when placed then ${book} end
      from order_buy(${toJson(order)}, ${kindOfPurchase(order)}) as placed`);
    return parseRow(boughtRow, result).placed;
  } catch (error) {
    if (isDeadlock(error)) return null;
    throw error;
  }
}

/**
 * The other orders that somebody has for what they own now. One that is being paid at this moment is left alone: who
 * pays it finds that it is owned.
 */
const othersOf = ({ id, userId, targetId }: OrderRow) => sql`
  select id from orders
  where target_id = ${targetId} and user_id = ${userId} and status = ${ORDER_STATUS.waiting} and id <> ${id}
  for no key update skip locked`;

async function update(db: Db, id: string, fields: Partial<OrderRow>): Promise<OrderRow> {
  const [order] = await db.update(orders).set(fields).where(eq(orders.id, id)).returning();
  if (order === undefined) throw noOrder();
  return order;
}

export const updatePay = (db: Db, id: string, pay: Pay): Promise<OrderRow> => update(db, id, { pay });

export const updateInvoice = (db: Db, id: string, invoice: Invoice): Promise<OrderRow> =>
  update(db, id, { invoice });

/** By whoever holds it. */
export async function updatePaid(
  db: Db,
  id: string,
  { tradeNo, paidAt, now }: { tradeNo: string; paidAt: Date; now: Date },
): Promise<OrderRow> {
  await db.insert(untoldOrders).values({ orderId: id, createdAt: now });
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
  update(db, id, { refundSettledAt: now });

/** By whoever holds it; a request whose order never came to be may be made again. */
export const updateCancelled = (db: Db, id: string, isForgotten = false): Promise<OrderRow> =>
  update(db, id, { status: ORDER_STATUS.cancelled, ...(isForgotten ? { requestId: null } : {}) });

/** By whoever has paid for it. */
export async function cancelOthers(db: Db, order: OrderRow): Promise<string[]> {
  const result = await db.execute(sql`
    update orders set status = ${ORDER_STATUS.cancelled} where id in (${othersOf(order)}) returning id`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** Those whose provider is to be asked by now, the longest waiting first. */
export const listToAsk = (db: Db, now: Date, limit: number): Promise<OrderRow[]> =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.status, ORDER_STATUS.waiting), lte(orders.askAt, now)))
    .orderBy(orders.askAt)
    .limit(limit);

export async function updateAsk(db: Db, id: string, askAt: Date): Promise<void> {
  await db.update(orders).set({ askAt }).where(eq(orders.id, id));
}
