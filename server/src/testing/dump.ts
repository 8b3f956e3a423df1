import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { MIGRATIONS_TABLE, readMigrations } from '../db/migrate.ts';
import { SESSION_SETTINGS } from '../modules/admin/backups/catalog.ts';

/*
 * A dump is SQL that recreates the database of a release: its migrations, the rows of all tables in COPY format, and the
 * pending jobs. `pg_dump` is not part of the embedded PostgreSQL.
 */

const CLOCK = '-- clock ';
const END_OF_ROWS = '\\.';
const isCopy = (line: string): boolean => /^copy .* from stdin;$/.test(line);

interface Table {
  name: string;
  columns: string[];
  references: string[];
  hasTriggers: boolean;
}

/** Sorts the tables so that each follows those that it references. */
async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name,
       array(
         select quote_ident(attname) from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
       ) as columns,
       array(
         select relname::text from pg_constraint join pg_class as other on other.oid = confrelid
         where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
       ) as references,
       exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) as "hasTriggers"
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const sorted: Table[] = [];
  while (sorted.length < rows.length) {
    const known = sorted.map(({ name }) => name);
    const next = rows.filter(
      (table) => !sorted.includes(table) && table.references.every((name) => known.includes(name)),
    );
    if (next.length === 0) throw new Error('circular foreign keys between tables');
    sorted.push(...next);
  }
  return sorted;
}

async function writeRows(client: pg.ClientBase, { name, columns }: Table): Promise<string> {
  const list = `"${name}" (${columns.join(', ')})`;
  const rows = await text(client.query(to(`copy ${list} to stdout`)));
  return `copy ${list} from stdin;\n${rows}${END_OF_ROWS}`;
}

const SEQUENCES = `
  select format('select setval(%L, %s, %L);', sequencename, coalesce(last_value, start_value), last_value is not null)
    as line
  from pg_sequences where schemaname = 'public' order by 1`;

/** Uses the documented function, because graphile-worker's tables may change between versions. */
const JOBS = `
  select format('select graphile_worker.add_job(%L, %L::json, job_key => %L, run_at => %L, max_attempts => %s);',
    identifier, payload, key, run_at, max_attempts) as line
  from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
  order by jobs.id`;

/** `clock` is the time of the site's clock, which may differ from the current time. */
export async function writeDump(connection: pg.PoolConfig, clock: Date): Promise<Buffer> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`begin isolation level repeatable read read only; ${SESSION_SETTINGS}`);
    const lines = async (query: string) =>
      (await client.query<{ line: string }>(query)).rows.map(({ line }) => line);
    const tables = await listTables(client);
    const withTriggers = tables.filter(({ hasTriggers }) => hasTriggers).map(({ name }) => name);
    const parts = [CLOCK + clock.toISOString(), `${MIGRATIONS_TABLE};`];
    for (const { name, content } of await readMigrations())
      parts.push(`begin; -- ${name}`, content, 'commit;');
    parts.push('begin;', ...withTriggers.map((name) => `alter table "${name}" disable trigger user;`));
    // Migrations insert rows into some tables.
    parts.push(...tables.toReversed().map(({ name }) => `delete from "${name}";`));
    for (const table of tables) parts.push(await writeRows(client, table));
    parts.push(...withTriggers.map((name) => `alter table "${name}" enable trigger user;`));
    parts.push(...(await lines(SEQUENCES)));
    parts.push(...(await lines(JOBS)), 'commit;', '');
    return gzipSync(parts.join('\n'), { level: 9 });
  } finally {
    await client.end();
  }
}

/** Loads a dump into an empty database and returns the time of the site's clock. */
export async function loadDump(pool: pg.Pool, path: string): Promise<Date> {
  await runMigrations({ pgPool: pool });
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  const client = await pool.connect();
  try {
    for (let start = 0; start < lines.length; ) {
      const copy = lines.findIndex((line, at) => at >= start && isCopy(line));
      const end = copy < 0 ? lines.length : copy;
      await client.query(lines.slice(start, end).join('\n'));
      if (copy < 0) break;
      const last = lines.indexOf(END_OF_ROWS, copy);
      const rows = lines.slice(copy + 1, last).map((row) => `${row}\n`);
      await pipeline(Readable.from(rows), client.query(from(lines[copy] ?? '')));
      start = last + 1;
    }
  } finally {
    // After an error the connection may be in the middle of a COPY, so it is closed.
    client.release(true);
  }
  return new Date((lines[0] ?? '').slice(CLOCK.length));
}
