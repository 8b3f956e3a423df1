import type pg from 'pg';
import { z } from 'zod';
import { readMigrations } from '../../../db/migrate.ts';
import { parseRows } from '../../../db/rows.ts';

type Client = pg.ClientBase;

/** Tables with temporary data, or with data about this installation, which are useless in another one. */
const EXCLUDED_TABLES = ['migrations', 'rate_limits', 'live_attachments', 'backups', 'traffic_visitors'];

/** Disables timeouts and fixes the text formats, which otherwise depend on the server's configuration. */
export const SESSION_SETTINGS = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1;`;

/** Keywords of a `create` statement before the kind or the name. */
const IGNORED_KEYWORDS = ['or', 'replace', 'unlogged', 'if', 'not', 'exists'];

/** Returns the object that a line of a migration creates or renames. */
function parseNewObject(line: string): [kind: string, name: string] {
  const [first, ...words] = line.slice(0, 200).toLowerCase().split(/\W/);
  const [object = '', , verb, to, newName = ''] = words;
  if (first === 'alter' && verb === 'rename' && to === 'to') return [object, newName];
  const [kind = '', name = ''] =
    first === 'create' ? words.filter((word) => !IGNORED_KEYWORDS.includes(word)) : [];
  return [kind, name];
}

/** Lists only objects that migrations create or rename, because other programs may use the same schema. */
export async function listMigrationObjects(): Promise<Record<'table' | 'sequence' | 'function', string[]>> {
  const created = {
    table: new Set(['migrations']),
    sequence: new Set<string>(),
    function: new Set<string>(),
  };
  for (const { content } of await readMigrations()) {
    for (const [kind, name] of content.split('\n').map(parseNewObject))
      if (Object.hasOwn(created, kind)) created[kind as 'table'].add(name);
  }
  return { table: [...created.table], sequence: [...created.sequence], function: [...created.function] };
}

const nameRow = z.object({ name: z.string() });

export async function listExistingTables(client: Client): Promise<string[]> {
  const { table } = await listMigrationObjects();
  const result = await client.query(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any($1) order by 1`,
    [table],
  );
  return parseRows(nameRow, result).map(({ name }) => name);
}

const tableRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** The size on disk, used to estimate the progress. */
  bytes: z.int(),
});
export type Table = z.output<typeof tableRow>;

/** Lists the tables of a backup by name, without generated columns, which PostgreSQL computes again. */
export async function listTables(client: Client): Promise<Table[]> {
  const { table } = await listMigrationObjects();
  const result = await client.query(
    `select relname as name, pg_table_size(pg_class.oid) as bytes,
       array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any($1)
       and attnum > 0 and not attisdropped and attgenerated = ''
     group by pg_class.oid order by relname`,
    [table.filter((name) => !EXCLUDED_TABLES.includes(name))],
  );
  return parseRows(tableRow, result);
}

const sequenceRow = z.object({ name: z.string(), value: z.int(), isCalled: z.boolean() });
export type Sequence = z.output<typeof sequenceRow>;

/** Sequences are not part of a snapshot, so this must run after the snapshot was taken. */
export async function listSequences(client: Client): Promise<Sequence[]> {
  const { table, sequence } = await listMigrationObjects();
  const result = await client.query(
    `select pg_class.relname as name
     from pg_class
     left join pg_depend on pg_depend.objid = pg_class.oid and classid = 'pg_class'::regclass
       and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
     left join pg_class as owner on owner.oid = refobjid
     where pg_class.relkind = 'S' and pg_class.relnamespace = current_schema()::regnamespace
       and (pg_class.relname = any($1) or owner.relname = any($2))
     order by 1`,
    [sequence, table.filter((name) => !EXCLUDED_TABLES.includes(name))],
  );
  const rows = parseRows(nameRow, result);
  if (rows.length === 0) return [];
  const selects = rows.map(
    ({ name }) =>
      `select '${name}' as name, last_value as value, is_called as "isCalled" from ${quoteIdentifier(name)}`,
  );
  return parseRows(sequenceRow, await client.query(selects.join(' union all ')));
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Statements that drop and recreate an index or constraint, which would slow down loading. */
const indexOrConstraintRow = z.object({ drop: z.string(), create: z.string() });
export type IndexOrConstraint = z.output<typeof indexOrConstraintRow>;

/** Lists foreign keys first, because they depend on the unique constraints. */
export async function listIndexesAndConstraints(
  client: Client,
  tables: string[],
): Promise<IndexOrConstraint[]> {
  const result = await client.query(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create,
       contype <> 'f' as is_late, conrelid::regclass::text || conname as key
     from pg_constraint where conrelid = any($1::regclass[]) and contype in ('f', 'u', 'x')
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), true, indexrelid::regclass::text
     from pg_index where indrelid = any($1::regclass[]) and not exists (
       select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')
     )
     order by is_late, key`,
    [tables.map(quoteIdentifier)],
  );
  return parseRows(indexOrConstraintRow, result);
}

const lineRow = z.object({ line: z.string() });

export async function listStructure(client: Client, tables: string[]): Promise<string[]> {
  const result = await client.query(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated::text as line
     from pg_constraint where conrelid = any($1::regclass[])
     union all select pg_get_indexdef(indexrelid) || ' ' || indisvalid::text from pg_index where indrelid = any($1::regclass[])
     union all select pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger
     where tgrelid = any($1::regclass[]) and not tgisinternal
     order by 1`,
    [tables.map(quoteIdentifier)],
  );
  return parseRows(lineRow, result).map(({ line }) => line);
}

const signatureRow = z.object({ signature: z.string() });

export async function dropMigrationObjects(client: Client): Promise<void> {
  const created = await listMigrationObjects();
  for (const name of created.table)
    await client.query(`drop table if exists ${quoteIdentifier(name)} cascade`);
  for (const name of created.sequence)
    await client.query(`drop sequence if exists ${quoteIdentifier(name)} cascade`);
  const result = await client.query(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1)`,
    [created.function],
  );
  for (const { signature } of parseRows(signatureRow, result))
    await client.query(`drop function ${signature} cascade`);
}
