import type { Page } from '@mozhan/contract/common.ts';
import { and, type SQL } from 'drizzle-orm';
import type { PgColumn, PgSelect } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';
import { type PageQuery, readPage } from './page.ts';
import { keysetOrder } from './sort.ts';

interface Select<Row> {
  readonly _: { readonly result: Row[]; readonly dialect: 'pg' };
}

type Value = Date | number | string | null;

interface ListOptions<Row> {
  select: Select<Row>;
  match: SQL | undefined;
  /** The sort column, never null in the matching rows; null: sorted by id, which is the order of creation. */
  by?: PgColumn | null;
  id: PgColumn;
  isDescending?: boolean;
  /** The values of `by` (if set) and `id`, for the cursor. */
  key: (row: Row) => Value[];
  /** Replaces the default count of matching rows in the table of `id`. */
  total?: () => Promise<number>;
  maxCounted?: number | undefined;
  /** Rows at the start of the first page, which `match` must exclude. */
  first?: readonly Row[] | undefined;
}

const toText = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value ?? ''));

export function listPage<Row>(
  db: Db,
  query: PageQuery,
  { select, match, by = null, id, isDescending = true, key, maxCounted, first, ...list }: ListOptions<Row>,
): Promise<Page<Row>> {
  const { order, afterCursor, parts } = keysetOrder({ by, id, isDescending });
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const rows = await (select as unknown as PgSelect)
        .where(and(match, afterCursor(after)))
        .orderBy(...order)
        .offset(offset)
        .limit(limit);
      return rows as Row[];
    },
    first,
    total: list.total ?? (() => count(db, id, match, maxCounted)),
    key: (row) =>
      key(row)
        .slice(by === null ? -1 : 0)
        .map(toText),
    parts,
  });
}

async function count(db: Db, id: PgColumn, match: SQL | undefined, max: number | undefined): Promise<number> {
  if (max === undefined) return db.$count(id.table, match);
  return db.$count(db.select({ id }).from(id.table).where(match).limit(max).as('some'));
}
