import { type SQL, sql } from 'drizzle-orm';

/** A number as part of the statement's text: a statement that is planned once matches partial indexes only by literals. */
export const literal = (value: number): SQL => sql.raw(String(value));
