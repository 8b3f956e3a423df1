import { hash, randomBytes } from 'node:crypto';
import type { TrafficDimension } from '@mozhan/contract/traffic.ts';
import { eq, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow, parseRows } from '../../../../db/rows.ts';
import { essays } from '../../../content/essays/tables.ts';
import { OTHER } from '../rules.ts';
import { authorSources, trafficDays, trafficValues, trafficVisitors } from '../tables.ts';

/** Distinct values of a dimension and day, so that invented referrers cannot fill the table. */
const MAX_VALUES = 200;
const MAX_PAGES = 500;
const MAX_AUTHOR_VALUES = 30;
/** Hashes of one day, in case a client invents user agents. */
const MAX_VISITORS = 1_000_000;

export interface TrafficCounts {
  views: number;
  visits: number;
  values: Record<TrafficDimension, Map<string, number>>;
  /** Visits by the id or slug of an essay and the source, separated by a line feed. */
  essays: Map<string, number>;
  /** Addresses and user agents; hashed before they are written. */
  visitors: Set<string>;
}

const dayRow = z.object({ salt: z.string(), visitors: z.int() });

/** The first statement locks the row of the day, so that the limits hold for all processes together. */
export async function addToDay(db: Db, day: string, counts: TrafficCounts): Promise<void> {
  await db.transaction(async (tx) => {
    const result = await tx.execute(sql`
      insert into traffic_days as known (day, views, visits, salt)
      values (${day}, ${counts.views}, ${counts.visits}, ${randomBytes(16)})
      on conflict (day) do update set views = known.views + excluded.views,
        visits = known.visits + excluded.visits, salt = coalesce(known.salt, excluded.salt)
      returning encode(salt, 'hex') as salt, visitors`);
    await addVisitors(tx, { day, ...parseRow(dayRow, result) }, counts);
    await addValues(tx, day, counts);
    if (counts.essays.size > 0) await addAuthorSources(tx, day, counts);
  });
}

async function addVisitors(
  db: Db,
  { day, salt, visitors }: { day: string; salt: string; visitors: number },
  counts: TrafficCounts,
): Promise<void> {
  const hashes = [...counts.visitors].map((visitor) => hash('sha256', salt + visitor).slice(0, 16));
  if (hashes.length === 0 || visitors >= MAX_VISITORS) return;
  const { rowCount } = await db.execute(sql`
    insert into traffic_visitors (day, visitor)
    select ${day}, decode(visitor, 'hex') from unnest(${sql.param(hashes)}::text[]) as visitor
    on conflict do nothing`);
  await db
    .update(trafficDays)
    .set({ visitors: visitors + (rowCount ?? 0) })
    .where(eq(trafficDays.day, day));
}

/**
 * Adds counts to the values of a day. New values beyond the limit of their key are counted as one; of those that arrive
 * together, the most frequent are kept.
 */
async function addValues(db: Db, day: string, { values }: TrafficCounts): Promise<void> {
  const rows = Object.entries(values).flatMap(([dimension, counted]) =>
    Array.from(counted, ([value, count]) => ({
      dimension,
      value,
      count,
      max: dimension === 'page' ? MAX_PAGES : MAX_VALUES,
    })),
  );
  await db.execute(sql`
    with batch as (
      select added.*, traffic_values.value is not null as is_known,
        row_number() over (
          partition by added.dimension, traffic_values.value is null order by added.count desc, added.value
        ) as place
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as added (dimension text, value text, count bigint, max int)
      left join traffic_values on traffic_values.day = ${day}
        and traffic_values.dimension = added.dimension and traffic_values.value = added.value
    ), used as (
      select dimension, count(*) as rows from traffic_values where day = ${day} group by dimension
    )
    insert into traffic_values as known (day, dimension, value, count)
    select ${day}, dimension, chosen, sum(count) from (
      select batch.dimension, batch.count,
        case when is_known or place + coalesce(used.rows, 0) <= max then value else ${OTHER} end as chosen
      from batch left join used on used.dimension = batch.dimension
    ) as limited group by dimension, chosen
    on conflict (day, dimension, value) do update set count = known.count + excluded.count`);
}

const authorRow = z.object({ id: z.string(), slug: z.string().nullable(), author: z.string() });
const ID = /^[0-9a-f]{32}$/;

async function listAuthors(db: Db, names: string[]): Promise<Map<string, string>> {
  const result = await db.execute(sql`
    select replace(id::text, '-', '') as id, slug, replace(author_id::text, '-', '') as author from ${essays}
    where id = any(${sql.param(names.filter((name) => ID.test(name)))}::uuid[])
      or slug = any(${sql.param(names)}::text[])`);
  return new Map(
    parseRows(authorRow, result).flatMap(({ id, slug, author }) => [
      [id, author],
      [slug ?? id, author],
    ]),
  );
}

async function addAuthorSources(db: Db, day: string, counts: TrafficCounts): Promise<void> {
  const visits = Array.from(counts.essays, ([key, count]) => {
    const [name = '', value = OTHER] = key.split('\n');
    return { name, value, count };
  });
  const authors = await listAuthors(db, [...new Set(visits.map(({ name }) => name))]);
  const rows = visits.flatMap(({ name, value, count }) => {
    const author = authors.get(name);
    return author === undefined ? [] : [{ author, value, count }];
  });
  if (rows.length === 0) return;
  await db.execute(sql`
    with added as (
      select author, value, sum(count) as count
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (author uuid, value text, count bigint)
      group by author, value
    ), batch as (
      select added.*, author_sources.value is not null as is_known,
        row_number() over (
          partition by author, author_sources.value is null order by added.count desc, added.value
        ) as place,
        (select count(*) from author_sources where author_id = author and day = ${day}) as used
      from added left join author_sources on author_sources.author_id = author
        and author_sources.day = ${day} and author_sources.value = added.value
    )
    insert into author_sources as known (author_id, day, value, count)
    select author, ${day}, chosen, sum(count) from (
      select author, count,
        case when is_known or place + used <= ${MAX_AUTHOR_VALUES} then value else ${OTHER} end as chosen
      from batch
    ) as limited group by author, chosen
    on conflict (author_id, day, value) do update set count = known.count + excluded.count`);
}

/** Deletes what is needed only during its day, so that nobody can be recognized afterwards. */
export async function removeVisitors(db: Db, before: string): Promise<void> {
  await db.delete(trafficVisitors).where(lt(trafficVisitors.day, before));
  await db.update(trafficDays).set({ salt: null }).where(lt(trafficDays.day, before));
}

/** The totals of each day stay. */
export async function removeValues(db: Db, before: string): Promise<void> {
  await db.delete(trafficValues).where(lt(trafficValues.day, before));
  await db.delete(authorSources).where(lt(authorSources.day, before));
}

export async function removeAuthorSources(db: Db, authorId: string): Promise<void> {
  await db.delete(authorSources).where(eq(authorSources.authorId, authorId));
}
