import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

/** A text search without an index scans only this many of the newest rows, which bounds its time. */
export const MAX_SCANNED_ROWS = 20_000;

/** Counting stops here; clients display larger totals as "more than 1000". */
export const MAX_COUNTED_ROWS = 1001;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Prefix search on a lower-cased expression that has an index. */
export const startsWithKeyword = (lowered: SQL, keyword: string): SQL =>
  sql`${lowered} like lower(${`${escapeLike(keyword)}%`})`;

export const containsKeyword = (text: SQL, keyword: string): SQL =>
  sql`${text} ilike ${`%${escapeLike(keyword)}%`}`;

/**
 * Prefix search on a column with the collation "C". Unlike `like`, it uses the index in a generic plan, too, which is
 * made before the prefix is known.
 */
export const startsWith = (column: SQL, prefix: string): SQL =>
  sql`(${column} >= ${prefix} and ${column} < ${`${prefix}\u{10FFFF}`})`;
