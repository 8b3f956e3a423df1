import { inArray, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { removePurchasesOf } from '../../../content/essays/index.ts';
import { orders, unnotifiedOrders } from '../tables.ts';

export async function removeOrdersOf(db: Db, userIds: string[]): Promise<{ id: string; no: string }[]> {
  const removed = await db
    .delete(orders)
    .where(or(inArray(orders.userId, userIds), inArray(orders.payeeId, userIds)))
    .returning({ id: orders.id, no: orders.no });
  const ids = removed.map(({ id }) => id);
  await removePurchasesOf(db, ids);
  await db.delete(unnotifiedOrders).where(inArray(unnotifiedOrders.orderId, ids));
  return removed;
}
