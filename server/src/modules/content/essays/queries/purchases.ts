import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { purchases } from '../tables.ts';

/** Returns false if the user has bought it before. */
export async function insertPurchase(db: Db, purchase: typeof purchases.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(purchases)
    .values(purchase)
    .onConflictDoNothing()
    .returning({ targetId: purchases.targetId });
  return rows.length > 0;
}

export async function removePurchase(db: Db, orderId: string, userId: string): Promise<void> {
  await db.delete(purchases).where(and(eq(purchases.userId, userId), eq(purchases.orderId, orderId)));
}

export async function removePurchasesOf(db: Db, orderIds: string[]): Promise<void> {
  await db.delete(purchases).where(inArray(purchases.orderId, orderIds));
}

/** `targetId` is an essay or a column; buying the column of an essay counts too. */
export async function hasPurchase(db: Db, userId: string, targetId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from purchases where user_id = ${userId} and target_id in (
      ${targetId}, (select column_id from essays where id = ${targetId}))`);
  return rowCount !== 0;
}
