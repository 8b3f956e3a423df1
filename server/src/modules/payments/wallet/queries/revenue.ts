import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { orderKind } from '@mozhan/contract/orders.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRows } from '../../../../db/rows.ts';
import { orders } from '../../orders/tables.ts';

const dayRevenue = z.object({
  day: z.string(),
  turnover: z.int(),
  commission: z.int(),
  refunded: z.int(),
  orders: z.int(),
});
export type DayRevenue = z.output<typeof dayRevenue>;

/** A recharge is no revenue; it counts when it is spent. */
const isSale = sql`kind <> 'recharge'`;

const since = (day: string) => sql`${day}::date::timestamp at time zone 'Asia/Shanghai'`;

/** Returns every day of the range, with zeros for days without orders. */
export async function listDailyRevenue(db: Db, from: string, to: string): Promise<DayRevenue[]> {
  const result = await db.execute(sql`
    with sold as (
      select (paid_at at time zone 'Asia/Shanghai')::date as day, sum(amount)::bigint as turnover,
        sum(commission) filter (where status = ${literal(ORDER_STATUS.paid)}) as commission, count(*) as orders
      from ${orders} where paid_at >= ${since(from)} and ${isSale} group by 1
    ), returned as (
      select (refunded_at at time zone 'Asia/Shanghai')::date as day, sum(amount)::bigint as refunded
      from ${orders} where refunded_at >= ${since(from)} and ${isSale} group by 1
    )
    select to_char(each.day, 'YYYY-MM-DD') as day, coalesce(turnover, 0) as turnover,
      coalesce(commission, 0)::bigint as commission, coalesce(refunded, 0) as refunded, coalesce(orders, 0) as orders
    from generate_series(${from}::date, ${to}::date, '1 day') as each (day)
    left join sold on sold.day = each.day left join returned on returned.day = each.day
    order by each.day`);
  return parseRows(dayRevenue, result);
}

const kindRevenue = z.object({ kind: orderKind, amount: z.int(), orders: z.int() });
export type KindRevenue = z.output<typeof kindRevenue>;

export async function listRevenueByKind(db: Db, from: string): Promise<KindRevenue[]> {
  const result = await db.execute(sql`
    select kind, sum(amount)::bigint as amount, count(*) as orders
    from ${orders} where paid_at >= ${since(from)} group by 1 order by 2 desc, 1`);
  return parseRows(kindRevenue, result);
}
