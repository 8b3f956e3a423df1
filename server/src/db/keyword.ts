import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

/** So many of the newest rows are looked through for text that no index finds: it takes the same time at any size. */
export const LOOKED_THROUGH = 20_000;

/** More than a thousand are counted as so many. */
export const MOST_COUNTED = 1001;

/** `%` and `_` in what people type mean themselves. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** As the indexes of lowered names and titles have it. */
export const beginsWith = (lowered: SQL, keyword: string): SQL =>
  sql`${lowered} like lower(${`${literally(keyword)}%`})`;

export const has = (text: SQL, keyword: string): SQL => sql`${text} ilike ${`%${literally(keyword)}%`}`;
