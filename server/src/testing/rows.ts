import type pg from 'pg';

export interface Rows {
  count: number;
  /** A hash of all values, by column; in which order the rows are makes no difference. */
  columns: Map<string, string>;
}

/** Of every table but `migrations`. */
export async function hashRows(pool: pg.Pool): Promise<Map<string, Rows>> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
     group by 1 order by 1`,
  );
  const found = new Map<string, Rows>();
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

/** Rows that were added or removed, or the columns whose values changed. */
export type Change = number | string[];

export function compareRows(before: Map<string, Rows>, after: Map<string, Rows>): Record<string, Change> {
  const changes: Record<string, Change> = {};
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    const added = (now?.count ?? 0) - (old?.count ?? 0);
    const changed = [...(old?.columns ?? [])].filter(([column, hash]) => now?.columns.get(column) !== hash);
    if (added !== 0) changes[name] = added;
    else if (changed.length > 0) changes[name] = changed.map(([column]) => column);
  }
  return changes;
}
