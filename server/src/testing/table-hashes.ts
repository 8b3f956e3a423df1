import type pg from 'pg';

export interface TableHashes {
  count: number;
  columns: string[];
  /** The hash of each value, in the order of the columns, by the primary key or a unique one, else by the entire row. */
  rows: Map<string, string[]>;
}

/** Hashes every table except `migrations`. */
export async function hashTables(pool: pg.Pool): Promise<Map<string, TableHashes>> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[]; key: string[] | null }>(
    `select relname as name,
       array(
         select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped
         order by attnum
       ) as columns,
       (
         select array_agg(attname::text order by attnum) from pg_attribute
         where attrelid = pg_class.oid and attnum = any ((
           select conkey from pg_constraint where conrelid = pg_class.oid and contype in ('p', 'u')
           order by contype, conname limit 1
         )::smallint[])
       ) as key
     from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations' order by 1`,
  );
  const found = new Map<string, TableHashes>();
  for (const { name, columns, key } of tables) {
    const hashes = columns.map(
      (column) => `hashtextextended(coalesce('=' || "${column}"::text, ''), 0)::text`,
    );
    const values = (key ?? columns).map((column) => `"${column}"`);
    const { rows } = await pool.query<{ key: string; hashes: string[] }>(
      `select row(${values.join(', ')})::text as key, array[${hashes.join(', ')}] as hashes from "${name}"`,
    );
    found.set(name, { count: rows.length, columns, rows: new Map(rows.map((row) => [row.key, row.hashes])) });
  }
  return found;
}

export interface TableChange {
  /** Numbers of rows. */
  added?: number;
  removed?: number;
  /** Columns whose values differ in rows that stayed, or that are gone. */
  changed?: string[];
}

const NO_TABLE: TableHashes = { count: 0, columns: [], rows: new Map() };

function compareRows(old: TableHashes, now: TableHashes): TableChange {
  const kept = [...old.rows].filter(([key]) => now.rows.has(key));
  const changed = old.columns.filter((column, at) => {
    const position = now.columns.indexOf(column);
    return kept.some(([key, hashes]) => now.rows.get(key)?.[position] !== hashes[at]);
  });
  const [added, removed] = [now.count - kept.length, old.count - kept.length];
  return {
    ...(added === 0 ? {} : { added }),
    ...(removed === 0 ? {} : { removed }),
    ...(changed.length === 0 ? {} : { changed }),
  };
}

/** Rows with the same key are compared, also where others were added or removed. */
export function compareTables(
  before: Map<string, TableHashes>,
  after: Map<string, TableHashes>,
): Record<string, TableChange> {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changes = names.map(
    (name) => [name, compareRows(before.get(name) ?? NO_TABLE, after.get(name) ?? NO_TABLE)] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => Object.keys(change).length > 0));
}
