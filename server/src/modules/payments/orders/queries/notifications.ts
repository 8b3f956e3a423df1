import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { asc, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { memberTerms } from '../../members/tables.ts';
import { type OrderRow, orders, unnotifiedOrders } from '../tables.ts';

/** Claims the given orders whose notices are not sent yet; excludes orders that were refunded meanwhile. */
export async function claimUnnotified(db: Db, ids: string[]): Promise<OrderRow[]> {
  const claimed = await db
    .delete(unnotifiedOrders)
    .where(inArray(unnotifiedOrders.orderId, ids))
    .returning({ id: unnotifiedOrders.orderId });
  if (claimed.length === 0) return [];
  const rows = await db
    .select()
    .from(orders)
    .where(
      inArray(
        orders.id,
        claimed.map(({ id }) => id),
      ),
    )
    .orderBy(asc(orders.id))
    .for('share');
  return rows.filter(({ status }) => status === ORDER_STATUS.paid);
}

export async function listUnnotified(db: Db, since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: unnotifiedOrders.orderId })
    .from(unnotifiedOrders)
    .where(lte(unnotifiedOrders.createdAt, since))
    .limit(limit);
  return rows.map((row) => row.id);
}

export async function listInviteesWithoutBonus(db: Db, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const result = await db.execute(sql`
    select id from ${users}
    where id = any(${sql.param(userIds)}::uuid[]) and invited_by is not null
      and not exists (select 1 from ${memberTerms} where invitee_id = users.id)
    order by id`);
  return parseRows(idRow, result).map((row) => row.id);
}

export async function hasOtherPaidOrder(db: Db, { id, userId, kind, targetId }: OrderRow): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from orders
    where user_id = ${userId} and kind = ${kind} and target_id = ${targetId} and status = ${literal(ORDER_STATUS.paid)} and id <> ${id} limit 1`);
  return rowCount !== 0;
}
