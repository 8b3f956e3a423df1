import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { and, inArray, notInArray, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { removePurchasesOf } from '../../../content/essays/index.ts';
import { type OrderRow, orders, unnotifiedOrders } from '../tables.ts';

type RemovedOrder = Pick<OrderRow, 'id' | 'no' | 'userId' | 'payBy' | 'status'>;

export async function removeOrdersOf(db: Db, userIds: string[]): Promise<RemovedOrder[]> {
  const removed = await db
    .delete(orders)
    .where(or(inArray(orders.userId, userIds), inArray(orders.payeeId, userIds)))
    .returning({
      id: orders.id,
      no: orders.no,
      userId: orders.userId,
      payBy: orders.payBy,
      status: orders.status,
    });
  const ids = removed.map(({ id }) => id);
  await removePurchasesOf(db, ids);
  await db.delete(unnotifiedOrders).where(inArray(unnotifiedOrders.orderId, ids));
  return removed;
}

/** Orders of other users to these payees that hold, or may still receive, money of a real provider. */
export const countRealPaymentsTo = (db: Db, payeeIds: string[]): Promise<number> =>
  db.$count(
    orders,
    and(
      inArray(orders.payeeId, payeeIds),
      notInArray(orders.userId, payeeIds),
      inArray(orders.payBy, ['alipay', 'wechat']),
      inArray(orders.status, [ORDER_STATUS.waiting, ORDER_STATUS.paid]),
    ),
  );
