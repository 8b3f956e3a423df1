import { and, asc, desc, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

interface KeysetOptions {
  /** A non-null number, time or date column; null: sorted by id, which is the order of creation. */
  by: PgColumn | null;
  id: PgColumn;
  isDescending: boolean;
}

const isTime = (column: PgColumn): boolean => column.dataType === 'date';

/** Cursor part and SQL type for each column type; all integers are compared as `bigint`. */
const casts = {
  'timestamp with time zone': { part: 'time', type: sql.raw('timestamptz') },
  date: { part: 'day', type: sql.raw('date') },
  'double precision': { part: 'float', type: sql.raw('float8') },
  bigint: { part: 'bigint', type: sql.raw('bigint') },
} as const;

const hasCast = (type: string): type is keyof typeof casts => type in casts;

function castOf(column: PgColumn) {
  const type = column.getSQLType();
  return casts[hasCast(type) ? type : 'bigint'];
}

/** Order and cursor condition of a list sorted by a column and then by id, which an index on both supports. */
export function keysetOrder({ by, id, isDescending }: KeysetOptions) {
  const [direction, comparison] = isDescending ? [desc, sql.raw('<')] : [asc, sql.raw('>')];
  return {
    parts: by === null ? [] : [castOf(by).part],
    order: by === null ? [direction(id)] : [direction(by), direction(id)],
    afterCursor(after: string[] | null): SQL | undefined {
      if (after === null) return undefined;
      if (by === null) return sql`${id} ${comparison} ${after.at(-1)}::uuid`;
      return sql`(${by}, ${id}) ${comparison} (${after[0]}::${castOf(by).type}, ${after.at(-1)}::uuid)`;
    },
  };
}

export interface DayBounds {
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = 86_400_000;
const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+08:00`);

/** Ids begin with the time of creation. */
const smallestIdAt = (time: number): SQL => sql`${time.toString(16).padStart(12, '0').padEnd(32, '0')}::uuid`;

/** Condition on the day of creation, by a time column or by the id column, since ids contain the time of creation. */
export function createdWithin(column: PgColumn, { from, to }: DayBounds): SQL | undefined {
  const at = (time: number) => (isTime(column) ? new Date(time) : smallestIdAt(time));
  return and(
    from === undefined ? undefined : gte(column, at(startOfDay(from))),
    to === undefined ? undefined : lt(column, at(startOfDay(to) + DAY)),
  );
}

/** Sorts by time if days are filtered, so that one index serves both; otherwise by id, which has more indexes. */
export const timeSortColumn = (column: PgColumn, { from, to }: DayBounds): PgColumn | null =>
  from === undefined && to === undefined ? null : column;
