import type pg from 'pg';

export interface TableHashes {
  count: number;
  /** A hash of all values per column, independent of the order of the rows. */
  columns: Map<string, string>;
}

/** Hashes every table except `migrations`. */
export async function hashTables(pool: pg.Pool): Promise<Map<string, TableHashes>> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
     group by 1 order by 1`,
  );
  const found = new Map<string, TableHashes>();
  for (const { name, columns } of tables) {
    const hashes = columns.map(
      (column) => `sum(hashtextextended(coalesce('=' || "${column}"::text, ''), 0)::numeric)::text`,
    );
    const { rows } = await pool.query<{ count: number; hashes: string[] }>(
      `select count(*) as count, array[${hashes.join(', ')}] as hashes from "${name}"`,
    );
    const { count = 0, hashes: values = [] } = rows[0] ?? {};
    found.set(name, { count, columns: new Map(columns.map((column, at) => [column, values[at] ?? ''])) });
  }
  return found;
}

/** The number of rows added (negative: removed), or the columns whose values changed. */
export type TableChange = number | string[];

export function compareTables(
  before: Map<string, TableHashes>,
  after: Map<string, TableHashes>,
): Record<string, TableChange> {
  const changes: Record<string, TableChange> = {};
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    const added = (now?.count ?? 0) - (old?.count ?? 0);
    const changed = [...(old?.columns ?? [])].filter(([column, hash]) => now?.columns.get(column) !== hash);
    if (added !== 0) changes[name] = added;
    else if (changed.length > 0) changes[name] = changed.map(([column]) => column);
  }
  return changes;
}
