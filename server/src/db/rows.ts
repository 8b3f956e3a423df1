import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';

/**
 * Validates rows of hand-written SQL against a schema. A mismatch is a bug, so it throws a plain error (a 500 for the
 * caller) that names the column but not its value.
 *
 * Schemas must be module constants, because Zod compiles a schema at its first use. Validating 100 rows of ten columns
 * then takes a third of the time of serializing them as JSON.
 */
export function parseRows<S extends z.ZodType>(schema: S, result: { rows: unknown[] }): z.output<S>[] {
  return result.rows.map((row) => {
    const parsed = schema.safeParse(row);
    if (parsed.success) return parsed.data;
    throw new Error(`A row does not match its schema: ${issuesOf(parsed.error)}`);
  });
}

/** Returns the row of a statement that always returns exactly one, such as an aggregate. */
export function parseRow<S extends z.ZodType>(schema: S, result: { rows: unknown[] }): z.output<S> {
  const [row, ...more] = parseRows(schema, result);
  if (row === undefined || more.length > 0) throw new Error(`Expected one row, found ${result.rows.length}`);
  return row;
}

/** Returns the rows in the order of the ids; ids without a row are left out. */
export function inOrderOf<Row>(ids: readonly string[], rows: Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Template tag for a hand-written column in a query of the query builder: `sqlInt\`count(*)::int\``. Drizzle does not
 * decode null, so null is not validated.
 */
export const sqlAs =
  <S extends z.ZodType>(schema: S) =>
  (strings: TemplateStringsArray, ...values: unknown[]): SQL<z.output<S>> =>
    sql(strings, ...values).mapWith((value: unknown): z.output<S> => {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw new Error(`The column ${strings.join('…')} does not match its schema: ${issuesOf(parsed.error)}`);
    });

export const sqlInt = sqlAs(z.int());
export const sqlText = sqlAs(z.string());
export const sqlTexts = sqlAs(z.array(z.string()));
export const sqlBoolean = sqlAs(z.boolean());

/** Not Zod's own messages, which are in Chinese for users. */
const issuesOf = ({ issues }: z.ZodError): string =>
  issues
    .map((issue) => {
      const problem = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.code;
      return [...issue.path, problem].join(': ');
    })
    .join('; ');

const parseTimestamp: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

/** A `timestamptz`, for which Drizzle's `execute` returns text and node-postgres a Date. */
export const timestamp = z.unknown().transform((value, ctx): Date => {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time;
  ctx.addIssue({ code: 'invalid_type', expected: 'date', input: value });
  return z.NEVER;
});

export const idRow = z.object({ id: z.string() });
export const countRow = z.object({ count: z.int() });
