import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow, parseRows } from '../../../../db/rows.ts';
import { NO_TOKEN } from '../rules/tokens.ts';

const essaysRow = z.object({ essays: z.number() });

/** Counts the essays anew for the planner and for us. */
export async function analyseEssays(db: Db): Promise<number> {
  await db.execute(sql`analyze search_essays (id, stat)`);
  const result = await db.execute(
    sql`select reltuples as essays from pg_class where oid = 'search_essays'::regclass`,
  );
  return Math.max(0, parseRow(essaysRow, result).essays);
}

/** From a sample: every essay that is published counting its words would make all wait for the common ones. */
export async function replaceShares(db: Db, sample: { percent: number; least: number }): Promise<void> {
  await db.execute(sql`delete from search_shares`);
  await db.execute(sql`
    with sample as materialized (
      select tokens from search_essays tablesample system (${sample.percent}::real)),
    size as (select count(*)::real as essays from sample)
    insert into search_shares (token, share)
    select token, count(*) / max(essays) from sample, unnest(tokens) as token, size
    where token <> ${NO_TOKEN} group by token having count(*) >= ${sample.least}`);
}

const statRow = z.object({ stat: z.number() });

/** What the highest have at least. */
export async function findLeastHot(db: Db, count: number): Promise<number | null> {
  const result = await db.execute(
    sql`select stat from search_essays order by stat desc offset ${Math.max(0, count - 1)} limit 1`,
  );
  return parseRows(statRow, result)[0]?.stat ?? null;
}

/** Those below; without a number all. */
export async function removeCold(db: Db, least: number | null): Promise<void> {
  await db.execute(sql`delete from search_hot where stat < coalesce(${least}::real, 'infinity')`);
}

/** Whoever changes one of these meanwhile finds its copy afterwards, or keeps us from making it. */
export async function copyHot(db: Db, least: number, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with risen as (
      select e.id, e.stat, e.tokens from search_essays e
      where e.stat >= ${least}::real and not exists (select 1 from search_hot h where h.id = e.id)
      limit ${limit} for share of e skip locked)
    insert into search_hot (id, stat, tokens) select id, stat, tokens from risen
    on conflict (id) do nothing`);
  return rowCount ?? 0;
}
