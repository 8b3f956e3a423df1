import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { z } from 'zod';
import { compareMigrations, readMigrations } from '../../../db/migrate.ts';
import { parseRow, parseRows } from '../../../db/rows.ts';
import { FileMissing, type Files, type KeptFile } from '../../../files/files.ts';
import { listKeyIds, SECRETS_MIGRATION } from '../../../secrets/secrets.ts';
import { type ArchiveWriter, createArchive, type Written } from './archive.ts';
import { listSequences, listTables, quote, SETTINGS, type Table } from './catalog.ts';
import { BackupError } from './errors.ts';
import {
  FORMAT,
  hashInName,
  hashOfText,
  JOBS,
  MANIFEST,
  MANIFEST_HASH,
  type Manifest,
  type TablePart,
} from './manifest.ts';

/** How far it has come, in bytes as they lie on the disk. */
export interface Progress {
  done: number;
  total: number;
  text: string;
}

export interface Source {
  pool: pg.Pool;
  files: Files;
}

export interface DumpOptions {
  target: string;
  /** Where it grows, on the same disk. */
  aside: string;
  madeBy: Manifest['madeBy'];
  now: Date;
  report: (progress: Progress) => void;
}

/** Done again from the beginning where it was restored: what was running, as if that attempt had not been. */
const PENDING = `
  select identifier, queue_name, payload, priority, run_at,
    attempts - (case when jobs.locked_at is null then 0 else 1 end) as attempts, max_attempts, last_error, key, flags,
    created_at
  from graphile_worker._private_jobs as jobs
  join graphile_worker._private_tasks as tasks on tasks.id = task_id
  left join graphile_worker._private_job_queues as queues on queues.id = job_queue_id
  order by jobs.id`;

const packageFile = join(import.meta.dirname, '../../../../../package.json');

/**
 * Everything as of one moment, while the site goes on: the database by one snapshot; of the files those that are there
 * once it is taken, since a file is there before any row speaks of it, and never changes.
 */
export async function writeBackup(
  { pool, files }: Source,
  { target, aside, madeBy, now, report }: DumpOptions,
): Promise<{ manifest: Manifest; bytes: number }> {
  const archive = await createArchive(target, aside, now);
  try {
    const client = await pool.connect();
    const rest = await dumpDatabase(client, { archive, files, report }).then(
      (dumped) => {
        client.release();
        return dumped;
      },
      (error: unknown) => {
        // It may be in the midst of a copy.
        client.release(true);
        throw error;
      },
    );
    const { kept, expected, done, ...database } = rest;
    const added = await addFiles(archive, { files, kept, done, report });
    const { version }: { version: string } = JSON.parse(await readFile(packageFile, 'utf8'));
    const manifest: Manifest = {
      format: FORMAT,
      madeAt: now.toISOString(),
      version,
      madeBy,
      ...database,
      files: { count: added.paths.size, bytes: added.bytes },
      missing: expected.filter((path) => !added.paths.has(path)),
    };
    const text = JSON.stringify(manifest, null, 1);
    await addWhole(archive, MANIFEST, text);
    await addWhole(archive, MANIFEST_HASH, `${hashOfText(text)}  ${MANIFEST}\n`);
    return { manifest, bytes: await archive.finish() };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const addWhole = (archive: ArchiveWriter, name: string, text: string): Promise<Written> =>
  archive.add(name, once(text));

interface Target {
  archive: ArchiveWriter;
  files: Files;
  report: DumpOptions['report'];
}

const postgresRow = z.object({ postgres: z.string() });

async function dumpDatabase(client: pg.PoolClient, { archive, files, report }: Target) {
  await client.query(`begin isolation level repeatable read read only; ${SETTINGS}`);
  const migrations = await listMigrations(client);
  const tables = await listTables(client);
  const kept = await Array.fromAsync(files.list());
  const total = sum(tables) + sum(kept);
  const parts: TablePart[] = [];
  let done = 0;
  for (const table of tables) {
    const { name, columns, bytes } = table;
    const copy = `copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`;
    const measure = (copied: number) =>
      report({ done: done + Math.min(copied, bytes), total, text: `正在写入数据表 ${name}` });
    const part = await addCopy(client, archive, { entry: `db/${name}.copy.gz`, copy, measure });
    parts.push({ name, columns, ...part });
    done += bytes;
    report({ done, total, text: `${name} ${part.rows.toLocaleString('zh-CN')} 行` });
  }
  const jobs = await addCopy(client, archive, {
    entry: JOBS,
    copy: `copy (${PENDING}) to stdout`,
    measure: () => {},
  });
  const expected = await listPaths(client, tables);
  const sequences = await listSequences(client);
  const isEncrypted = migrations.some(({ name }) => name === SECRETS_MIGRATION);
  const keys = isEncrypted ? await listKeyIds(client) : [];
  const result = await client.query("select current_setting('server_version') as postgres");
  const { postgres } = parseRow(postgresRow, result);
  await client.query('commit');
  return {
    migrations,
    keys,
    tables: parts,
    jobs,
    sequences,
    postgres,
    kept,
    expected,
    done,
  };
}

const sum = (list: readonly { bytes: number }[]): number =>
  list.reduce((total, { bytes }) => total + bytes, 0);

async function listMigrations(client: pg.PoolClient): Promise<Manifest['migrations']> {
  const { missing, unknown } = await compareMigrations(client);
  // What a newer program keeps, this one does not know of.
  if (unknown.length > 0)
    throw new BackupError(`数据库比程序新（多出迁移 ${unknown.join('、')}），请用新版程序备份`);
  return (await readMigrations())
    .filter(({ name }) => !missing.includes(name))
    .map(({ name, content }) => ({ name, hash: hashOfText(content) }));
}

interface Copy {
  entry: string;
  copy: string;
  measure: (bytes: number) => void;
}

async function addCopy(client: pg.PoolClient, archive: ArchiveWriter, { entry, copy, measure }: Copy) {
  const rows = client.query(to(copy));
  let copied = 0;
  const meter = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      copied += chunk.length;
      measure(copied);
      yield chunk;
    }
  };
  const written = await pipeline(
    rows,
    meter,
    createGzip({ level: 4, chunkSize: 256 * 1024 }),
    (content: AsyncIterable<Buffer>) => archive.add(entry, content),
  );
  // How many they were is said after the last of them.
  await client.query('select');
  return { entry, rows: rows.rowCount, ...written };
}

const pathRow = z.object({ path: z.string() });

/** The files that rows of uploads and attachments speak of. */
async function listPaths(client: pg.PoolClient, tables: Table[]): Promise<string[]> {
  const each = tables
    .filter(({ name }) => name === 'uploads' || name === 'attachments')
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => column.endsWith('path'))
        .map((column) => `select ${column} as path from ${name}`),
    );
  if (each.length === 0) return [];
  const result = await client.query(
    `select path from (${each.join(' union ')}) as paths where path <> '' order by 1`,
  );
  return parseRows(pathRow, result).map(({ path }) => path);
}

interface Kept {
  files: Files;
  kept: KeptFile[];
  done: number;
  report: DumpOptions['report'];
}

/** What was removed meanwhile, or is not what its name says, is left out. */
async function addFiles(archive: ArchiveWriter, { files, kept, done, report }: Kept) {
  const paths = new Set<string>();
  const total = done + sum(kept);
  let bytes = 0;
  let seen = done;
  for (const file of kept) {
    const added = await addFile(archive, files, file.path);
    seen += file.bytes;
    report({ done: seen, total, text: `文件 ${paths.size + 1} / ${kept.length}` });
    if (added === null) continue;
    paths.add(file.path);
    bytes += added.bytes;
  }
  return { paths, bytes };
}

async function addFile(archive: ArchiveWriter, files: Files, path: string): Promise<Written | null> {
  const name = path.slice(1);
  try {
    return await archive.addIf(name, await files.read(path), hashInName(name));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
