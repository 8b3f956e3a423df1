import { max, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

/** Between two places there is room for others. */
export const STEP = 10;
const LAST = 9999;

/** The place of a new row: last of those that match. */
export async function nextPlace(db: Db, table: PgTable & { sort: PgColumn }, match?: SQL): Promise<number> {
  const [last] = await db
    .select({ sort: max(table.sort) })
    .from(table)
    .where(match);
  return Math.min(Number(last?.sort ?? 0) + STEP, LAST);
}
