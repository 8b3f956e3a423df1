import { type SQL, sql } from 'drizzle-orm';

/** Puts a number into the SQL text: a prepared statement uses a partial index only if the predicate has a literal. */
export const literal = (value: number): SQL => sql.raw(String(value));
