import { type SQL, sql } from 'drizzle-orm';

/** Inlines a number into the SQL text, because a prepared statement uses a partial index only with a literal. */
export const literal = (value: number): SQL => sql.raw(String(value));

/**
 * `order by … limit …` for a prepared statement. For a limit that is a parameter, the planner assumes a tenth of all rows,
 * and may sort a whole table instead of reading the start of an index.
 */
export const orderWithLimit = (order: SQL[], limit: number): SQL =>
  sql`${sql.join(order, sql`, `)} limit ${literal(limit)}`;
