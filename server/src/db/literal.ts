import { type SQL, sql } from 'drizzle-orm';

/** Inlines a number into the SQL text, because a prepared statement uses a partial index only with a literal. */
export const literal = (value: number): SQL => sql.raw(String(value));
