import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';

export interface DayRevenue extends Record<string, unknown> {
  day: string;
  turnover: number;
  commission: number;
  refunded: number;
  orders: number;
}

/** What was put into a balance is sold when it is spent. */
const isSale = sql`kind <> 'recharge'`;

const since = (day: string) => sql`${day}::date::timestamp at time zone 'Asia/Shanghai'`;

/** Every day of these, in order, with zeros where nothing happened. */
export async function listDays(db: Db, from: string, to: string): Promise<DayRevenue[]> {
  const { rows } = await db.execute<DayRevenue>(sql`
    with sold as (
      select (paid_at at time zone 'Asia/Shanghai')::date as day, sum(amount)::bigint as turnover,
        sum(commission) filter (where status = ${literal(ORDER_STATUS.paid)}) as commission, count(*) as orders
      from orders where paid_at >= ${since(from)} and ${isSale} group by 1
    ), returned as (
      select (refunded_at at time zone 'Asia/Shanghai')::date as day, sum(amount)::bigint as refunded
      from orders where refunded_at >= ${since(from)} and ${isSale} group by 1
    )
    select to_char(each.day, 'YYYY-MM-DD') as day, coalesce(turnover, 0) as turnover,
      coalesce(commission, 0)::bigint as commission, coalesce(refunded, 0) as refunded, coalesce(orders, 0) as orders
    from generate_series(${from}::date, ${to}::date, '1 day') as each (day)
    left join sold on sold.day = each.day left join returned on returned.day = each.day
    order by each.day`);
  return rows;
}

export interface KindRevenue extends Record<string, unknown> {
  kind: OrderKind;
  amount: number;
  orders: number;
}

export async function listKinds(db: Db, from: string): Promise<KindRevenue[]> {
  const { rows } = await db.execute<KindRevenue>(sql`
    select kind, sum(amount)::bigint as amount, count(*) as orders
    from orders where paid_at >= ${since(from)} group by 1 order by 2 desc, 1`);
  return rows;
}
