import { inArray, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { removePurchasesOf } from '../../../content/essays/index.ts';
import { orders, untoldOrders } from '../tables.ts';

/** All that these people paid or earned, with what it opened. */
export async function removeOrdersOf(db: Db, userIds: string[]): Promise<{ id: string; no: string }[]> {
  const gone = await db
    .delete(orders)
    .where(or(inArray(orders.userId, userIds), inArray(orders.payeeId, userIds)))
    .returning({ id: orders.id, no: orders.no });
  const ids = gone.map(({ id }) => id);
  await removePurchasesOf(db, ids);
  await db.delete(untoldOrders).where(inArray(untoldOrders.orderId, ids));
  return gone;
}
