import { max, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

/** The places of rows leave gaps, so that a row can be moved between two others. */
export const STEP = 10;
const LAST = 9999;

/** The place behind the last of the rows that match, for a new one. */
export async function nextPlace(db: Db, table: PgTable & { sort: PgColumn }, match?: SQL): Promise<number> {
  const [last] = await db
    .select({ sort: max(table.sort) })
    .from(table)
    .where(match);
  return Math.min(Number(last?.sort ?? 0) + STEP, LAST);
}
