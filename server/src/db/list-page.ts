import type { Page } from '@mozhan/contract/common.ts';
import { and, type SQL } from 'drizzle-orm';
import type { PgColumn, PgSelect } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';
import { type PageQuery, readPage } from './page.ts';
import { sorted } from './sort.ts';

/** A select with its joins, before its condition. */
interface Select<Row> {
  readonly _: { readonly result: Row[]; readonly dialect: 'pg' };
}

type Value = Date | number | string | null;

interface List<Row> {
  select: Select<Row>;
  match: SQL | undefined;
  /** Is never null in the rows that match; without one ids alone, which is the order in which rows were made. */
  by?: PgColumn | null;
  id: PgColumn;
  isDescending?: boolean;
  /** The values of `by`, if there is one, and of `id`. */
  key: (row: Row) => Value[];
  /** Counts the rows, where they are not just those of the table of `id` that match. */
  total?: () => Promise<number>;
  /** More than these are counted as so many. */
  maxCounted?: number | undefined;
}

const toText = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value ?? ''));

/** One page of a list in the order of a column, then of ids. */
export function listPage<Row>(
  db: Db,
  query: PageQuery,
  { select, match, by = null, id, isDescending = true, key, maxCounted, ...list }: List<Row>,
): Promise<Page<Row>> {
  const { order, behind, parts } = sorted({ by, id, isDescending });
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const rows = await (select as unknown as PgSelect)
        .where(and(match, behind(after)))
        .orderBy(...order)
        .offset(offset)
        .limit(limit);
      return rows as Row[];
    },
    total: list.total ?? (() => count(db, id, match, maxCounted)),
    key: (row) =>
      key(row)
        .slice(by === null ? -1 : 0)
        .map(toText),
    parts,
  });
}

async function count(
  db: Db,
  id: PgColumn,
  match: SQL | undefined,
  most: number | undefined,
): Promise<number> {
  if (most === undefined) return db.$count(id.table, match);
  return db.$count(db.select({ id }).from(id.table).where(match).limit(most).as('some'));
}
