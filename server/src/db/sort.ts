import { and, asc, desc, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

interface Sorting {
  /** A number, a time or a day that never is null; null: ids alone, which is the order in which rows were made. */
  by: PgColumn | null;
  id: PgColumn;
  isDescending: boolean;
}

const isTime = (column: PgColumn): boolean => column.dataType === 'date';

/** How a cursor holds the value of a column, and the type it is compared as; whole numbers of any size as `bigint`. */
const casts = {
  'timestamp with time zone': { part: 'time', type: sql.raw('timestamptz') },
  date: { part: 'day', type: sql.raw('date') },
  'double precision': { part: 'float', type: sql.raw('float8') },
  bigint: { part: 'bigint', type: sql.raw('bigint') },
} as const;

const isListed = (type: string): type is keyof typeof casts => type in casts;

function castOf(column: PgColumn) {
  const type = column.getSQLType();
  return casts[isListed(type) ? type : 'bigint'];
}

/** The order of a column, then of ids, and what comes behind a cursor in it: an index of both is walked from there. */
export function sorted({ by, id, isDescending }: Sorting) {
  const [direction, comparison] = isDescending ? [desc, sql.raw('<')] : [asc, sql.raw('>')];
  return {
    /** The parts of a row's key before its id, where the key has the value of `by`. */
    parts: by === null ? [] : [castOf(by).part],
    order: by === null ? [direction(id)] : [direction(by), direction(id)],
    behind(after: string[] | null): SQL | undefined {
      if (after === null) return undefined;
      if (by === null) return sql`${id} ${comparison} ${after.at(-1)}::uuid`;
      return sql`(${by}, ${id}) ${comparison} (${after[0]}::${castOf(by).type}, ${after.at(-1)}::uuid)`;
    },
  };
}

export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = 86_400_000;
const midnight = (day: string): number => Date.parse(`${day}T00:00:00+08:00`);

/** The smallest id of a moment. */
const idFrom = (time: number): SQL => sql`${time.toString(16).padStart(12, '0').padEnd(32, '0')}::uuid`;

/** Made on these days, by the column of the time; or by that of ids, where rows are made at no other time than theirs. */
export function madeWithin(column: PgColumn, { from, to }: Days): SQL | undefined {
  const at = (time: number) => (isTime(column) ? new Date(time) : idFrom(time));
  return and(
    from === undefined ? undefined : gte(column, at(midnight(from))),
    to === undefined ? undefined : lt(column, at(midnight(to) + DAY)),
  );
}

/** By time itself where days are asked for, which are found by it; else by ids, which have more indexes. */
export const timeOrder = (column: PgColumn, { from, to }: Days): PgColumn | null =>
  from === undefined && to === undefined ? null : column;
