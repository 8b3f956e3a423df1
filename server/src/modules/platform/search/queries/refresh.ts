import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow, parseRows } from '../../../../db/rows.ts';
import { PADDING_TOKEN } from '../rules/tokens.ts';

const essaysRow = z.object({ essays: z.number() });

/** Updates PostgreSQL's statistics and returns the estimated number of essays. */
export async function analyseEssays(db: Db): Promise<number> {
  await db.execute(sql`analyze search_essays (id, stat)`);
  const result = await db.execute(
    sql`select reltuples as essays from pg_class where oid = 'search_essays'::regclass`,
  );
  return Math.max(0, parseRow(essaysRow, result).essays);
}

/** Uses a sample, because counters of common words would make publications wait for each other. */
export async function replaceTokenShares(
  db: Db,
  sample: { percent: number; minCount: number },
): Promise<void> {
  // Counting millions of tokens takes long on a busy machine; a job that is stopped starts again from the beginning.
  await db.execute(sql`set local statement_timeout = 0`);
  await db.execute(sql`delete from search_shares`);
  await db.execute(sql`
    with sample as materialized (
      select tokens from search_essays tablesample system (${sample.percent}::real)),
    counts as (
      select token, count(*) as essays from (select unnest(tokens) as token from sample) as each
      group by token having count(*) >= ${sample.minCount})
    insert into search_shares (token, share)
    select token, essays / (select count(*) from sample)::real from counts where token <> ${PADDING_TOKEN}`);
}

const statRow = z.object({ stat: z.number() });

/** Returns the lowest `stat` of the `count` highest essays; null if there are fewer. */
export async function findHotThreshold(db: Db, count: number): Promise<number | null> {
  const result = await db.execute(
    sql`select stat from search_essays order by stat desc offset ${Math.max(0, count - 1)} limit 1`,
  );
  return parseRows(statRow, result)[0]?.stat ?? null;
}

/** Removes essays below the threshold from the hot copy, or all if it is null. */
export async function removeFromHotCopy(db: Db, threshold: number | null): Promise<void> {
  await db.execute(sql`delete from search_hot where stat < coalesce(${threshold}::real, 'infinity')`);
}

/** The share lock with `skip locked` prevents copying an essay that is being changed. */
export async function copyToHotCopy(db: Db, threshold: number, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with risen as (
      select e.id, e.stat, e.fresh, e.tokens from search_essays e
      where e.stat >= ${threshold}::real and not exists (select 1 from search_hot h where h.id = e.id)
      limit ${limit} for share of e skip locked)
    insert into search_hot (id, stat, fresh, tokens) select id, stat, fresh, tokens from risen
    on conflict (id) do nothing`);
  return rowCount ?? 0;
}
