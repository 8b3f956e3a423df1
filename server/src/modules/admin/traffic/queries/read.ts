import { type TrafficDay, type TrafficValue, trafficDimension } from '@mozhan/contract/traffic.ts';
import { and, asc, desc, eq, gte, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, sqlInt } from '../../../../db/rows.ts';
import { authorSources } from '../tables.ts';

const SHOWN_VALUES = 100;
const SHOWN_SOURCES = 20;

interface DayRange {
  from: string;
  to: string;
}

const dayRow = z.object({ day: z.string(), views: z.int(), visits: z.int(), visitors: z.int() });

/** Every day of the range, also those without visits. */
export async function listDays(db: Db, { from, to }: DayRange): Promise<TrafficDay[]> {
  const result = await db.execute(sql`
    select each.day::date::text as day, coalesce(views, 0)::int as views, coalesce(visits, 0)::int as visits,
      coalesce(visitors, 0)::int as visitors
    from generate_series(${from}::date, ${to}::date, interval '1 day') as each (day)
    left join traffic_days on traffic_days.day = each.day order by each.day`);
  return parseRows(dayRow, result);
}

const valueRow = z.object({ dimension: trafficDimension, value: z.string(), count: z.int() });

export async function listValues(db: Db, { from, to }: DayRange) {
  const result = await db.execute(sql`
    select dimension, value, count from (
      select dimension, value, sum(count)::int as count,
        row_number() over (partition by dimension order by sum(count) desc, value) as place
      from traffic_values where day between ${from} and ${to} group by dimension, value
    ) as ranked where place <= ${SHOWN_VALUES} order by dimension, place`);
  const values = Map.groupBy(parseRows(valueRow, result), ({ dimension }) => dimension);
  const listed = trafficDimension.options.map((dimension): [string, TrafficValue[]] => [
    dimension,
    (values.get(dimension) ?? []).map(({ value, count }) => ({ value, count })),
  ]);
  return Object.fromEntries(listed) as Record<z.output<typeof trafficDimension>, TrafficValue[]>;
}

export async function listAuthorSources(db: Db, authorId: string, from: string): Promise<TrafficValue[]> {
  const count = sqlInt`sum(${authorSources.count})::int`;
  return db
    .select({ value: authorSources.value, count })
    .from(authorSources)
    .where(and(eq(authorSources.authorId, authorId), gte(authorSources.day, from)))
    .groupBy(authorSources.value)
    .orderBy(desc(count), asc(authorSources.value))
    .limit(SHOWN_SOURCES);
}
