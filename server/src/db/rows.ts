import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';

/**
 * Rows of hand-written SQL, checked against a schema. A row that does not match is a defect of the statement or of the
 * schema, so it throws a plain error (a 500 for the caller) that names the column but not its value.
 *
 * Zod compiles a schema at its first use: checking 100 rows of ten columns takes a third of the time of writing them as
 * JSON, and half the time of column readers written by hand. That holds for schemas that are module constants only.
 */
export function parseRows<S extends z.ZodType>(schema: S, result: { rows: unknown[] }): z.output<S>[] {
  return result.rows.map((row) => {
    const parsed = schema.safeParse(row);
    if (parsed.success) return parsed.data;
    throw new Error(`A row does not match its schema: ${issuesOf(parsed.error)}`);
  });
}

/** The row of a statement that always returns one, such as an aggregate. */
export function parseRow<S extends z.ZodType>(schema: S, result: { rows: unknown[] }): z.output<S> {
  const [row, ...more] = parseRows(schema, result);
  if (row === undefined || more.length > 0) throw new Error(`Expected one row, found ${result.rows.length}`);
  return row;
}

/**
 * Tag of a hand-written column in a query that is otherwise built: `sqlInt\`count(*)::int\``. The error names the column
 * by its SQL. Drizzle does not decode null, so a null is never checked.
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

/** The messages of zod are in Chinese, for people who fill in a form. */
const issuesOf = ({ issues }: z.ZodError): string =>
  issues
    .map((issue) => {
      const problem = issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.code;
      return [...issue.path, problem].join(': ');
    })
    .join('; ');

const parseTimestamp: (text: string) => unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

/** A `timestamptz`: drizzle's `execute` returns text for it, node-postgres a Date. */
export const timestamp = z.unknown().transform((value, ctx): Date => {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time;
  ctx.addIssue({ code: 'invalid_type', expected: 'date', input: value });
  return z.NEVER;
});

export const idRow = z.object({ id: z.string() });
export const countRow = z.object({ count: z.int() });
