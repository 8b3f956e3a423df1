import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { asc, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { memberTerms } from '../../members/tables.ts';
import { type OrderRow, orders, untoldOrders } from '../tables.ts';

/** Those of these that nobody has been told of; from now on everyone has. One that was paid back meanwhile is left out. */
export async function takeUntold(db: Db, ids: string[]): Promise<OrderRow[]> {
  const taken = await db
    .delete(untoldOrders)
    .where(inArray(untoldOrders.orderId, ids))
    .returning({ id: untoldOrders.orderId });
  if (taken.length === 0) return [];
  const rows = await db
    .select()
    .from(orders)
    .where(
      inArray(
        orders.id,
        taken.map(({ id }) => id),
      ),
    )
    .orderBy(asc(orders.id))
    .for('share');
  return rows.filter(({ status }) => status === ORDER_STATUS.paid);
}

export async function listUntold(db: Db, since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: untoldOrders.orderId })
    .from(untoldOrders)
    .where(lte(untoldOrders.createdAt, since))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Whoever of these was invited and has never been given days for it. */
export async function listWithoutBonus(db: Db, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const result = await db.execute(sql`
    select id from ${users}
    where id = any(${sql.param(userIds)}::uuid[]) and invited_by is not null
      and not exists (select 1 from ${memberTerms} where invitee_id = users.id)
    order by id`);
  return parseRows(idRow, result).map((row) => row.id);
}

/** That a refund leaves: a deed of the same kind for the same thing. */
export async function hasLike(db: Db, { id, userId, kind, targetId }: OrderRow): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from orders
    where user_id = ${userId} and kind = ${kind} and target_id = ${targetId} and status = ${literal(ORDER_STATUS.paid)} and id <> ${id} limit 1`);
  return rowCount !== 0;
}
