import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { between, desc, eq, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRow } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { comments } from '../../../content/comments/tables.ts';
import { essayDays, essayRecords } from '../../../content/essays/tables.ts';
import { chatMessages, letters } from '../../../messaging/chats/tables.ts';
import { orders } from '../../../payments/orders/tables.ts';
import { type SiteDay, siteDays } from '../tables.ts';

/** Allows one count at a time without blocking readers. */
export async function lockDays(db: Db): Promise<void> {
  await db.execute(sql`lock table site_days in share row exclusive mode`);
}

export async function findLastCompleteDay(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ day: max(siteDays.day) })
    .from(siteDays)
    .where(eq(siteDays.settled, true));
  return row?.day ?? null;
}

const dayRow = z.object({ day: z.string().nullable() });

export async function findFirstDay(db: Db): Promise<string | null> {
  const result = await db.execute(sql`
    select to_char(least(
      (select (min(created_at) at time zone 'Asia/Shanghai')::date from ${users}), (select min(day) from ${essayDays})
    ), 'YYYY-MM-DD') as day`);
  return parseRow(dayRow, result).day;
}

const since = (day: string) => sql`${day}::date::timestamp at time zone 'Asia/Shanghai'`;
const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone 'Asia/Shanghai')::date`;

/** A recharge is no sale, because the money counts when it is spent. */
const money = (from: string) => sql`
  sold as (
    select ${dayOf('paid_at')} as day, sum(amount) as turnover
    from ${orders} where paid_at >= ${since(from)} and kind <> 'recharge' group by 1
  ), returned as (
    select ${dayOf('refunded_at')} as day, sum(amount) as refunded
    from ${orders} where refunded_at >= ${since(from)} and kind <> 'recharge' group by 1
  )`;

export interface CountOptions {
  from: string;
  to: string;
  /** The last complete day. */
  settled: string;
  now: Date;
}

export async function countDays(db: Db, { from, to, settled, now }: CountOptions): Promise<void> {
  await db.execute(sql`
    with read as (
      select day, sum(reads) as reads from ${essayDays} where day >= ${from}::date group by 1
    ), registered as (
      select ${dayOf('created_at')} as day, count(*) as registrations
      from ${users} where created_at >= ${since(from)} group by 1
    ), published as (
      select ${dayOf('created_at')} as day, count(distinct essay_id) as publications
      from ${essayRecords} where created_at >= ${since(from)} and to_status = ${literal(ESSAY_STATUS.onShelf)} and not revision group by 1
    ), commented as (
      select ${dayOf('created_at')} as day, count(*) as comments
      from ${comments} where created_at >= ${since(from)} group by 1
    ), written as (
      select ${dayOf('created_at')} as day, count(*) as letters
      from ${letters} where created_at >= ${since(from)} group by 1
    ), chatted as (
      select ${dayOf('created_at')} as day, count(*) as messages
      from ${chatMessages} where created_at >= ${since(from)} group by 1
    ), ${money(from)}
    insert into site_days (day, reads, registrations, publications, comments, messages, turnover, refunded, settled,
      counted_at)
    select each.day, coalesce(reads, 0), coalesce(registrations, 0), coalesce(publications, 0), coalesce(comments, 0),
      coalesce(letters, 0) + coalesce(messages, 0), coalesce(turnover, 0), coalesce(refunded, 0),
      each.day <= ${settled}::date, ${now.toISOString()}::timestamptz
    from (select day::date from generate_series(${from}::date, ${to}::date, '1 day') as day) as each
    left join read on read.day = each.day
    left join registered on registered.day = each.day
    left join published on published.day = each.day
    left join commented on commented.day = each.day
    left join written on written.day = each.day
    left join chatted on chatted.day = each.day
    left join sold on sold.day = each.day
    left join returned on returned.day = each.day
    on conflict (day) do update set reads = excluded.reads, registrations = excluded.registrations,
      publications = excluded.publications, comments = excluded.comments, messages = excluded.messages,
      turnover = excluded.turnover, refunded = excluded.refunded, settled = excluded.settled,
      counted_at = excluded.counted_at`);
}

/** Recounts the money of past days, because providers may report payments days later. */
export async function countMoney(db: Db, from: string): Promise<void> {
  await db.execute(sql`
    with ${money(from)}
    update site_days set turnover = coalesce(sold.turnover, 0), refunded = coalesce(returned.refunded, 0)
    from site_days as each
    left join sold on sold.day = each.day
    left join returned on returned.day = each.day
    where site_days.day = each.day and each.day >= ${from}::date`);
}

export const removeDays = (db: Db): Promise<unknown> => db.delete(siteDays);

export const listSiteDays = (db: Db, from: string, to: string): Promise<SiteDay[]> =>
  db
    .select()
    .from(siteDays)
    .where(between(siteDays.day, from, to))
    .orderBy(siteDays.day);

export async function findCountedAt(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ at: siteDays.countedAt })
    .from(siteDays)
    .orderBy(desc(siteDays.day))
    .limit(1);
  return row?.at ?? null;
}
