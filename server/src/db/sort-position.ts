import { max, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

/** Sort values leave gaps, so that a row can be moved between two others. */
export const SORT_STEP = 10;
const MAX_SORT_VALUE = 9999;

export async function nextSortValue(
  db: Db,
  table: PgTable & { sort: PgColumn },
  match?: SQL,
): Promise<number> {
  const [last] = await db
    .select({ sort: max(table.sort) })
    .from(table)
    .where(match);
  return Math.min(Number(last?.sort ?? 0) + SORT_STEP, MAX_SORT_VALUE);
}
