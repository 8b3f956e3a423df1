import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Backup } from '@mozhan/contract/backups.ts';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { z } from 'zod';
import { compareMigrations, readMigrations } from '../../../db/migrate.ts';
import { parseRow, parseRows } from '../../../db/rows.ts';
import { FileMissing, type FileStore, type StoredFile } from '../../../files/files.ts';
import { listKeyIds, SECRETS_MIGRATION } from '../../../secrets/secrets.ts';
import { VERSION } from '../../../version.ts';
import { type ArchiveWriter, createArchive, type WrittenEntry } from './archive.ts';
import { listSequences, listTables, quoteIdentifier, SESSION_SETTINGS, type Table } from './catalog.ts';
import { BackupError } from './errors.ts';
import {
  FORMAT,
  hashFromName,
  hashText,
  JOBS_ENTRY,
  MANIFEST,
  MANIFEST_HASH,
  type Manifest,
  type TablePart,
} from './manifest.ts';

/** Progress in bytes on disk. */
export interface Progress {
  done: number;
  total: number;
  text: string;
}

export interface BackupSource {
  pool: pg.Pool;
  /** null: the backup contains only the database. */
  files: FileStore | null;
}

export interface DumpOptions {
  target: string;
  /** The path while the archive is being written, on the same disk. */
  temporaryPath: string;
  madeBy: Backup['madeBy'];
  /** Version of the program that wrote the data; this one unless an update precedes. */
  version?: string;
  now: Date;
  report: (progress: Progress) => void;
}

/** A running job is stored without its current attempt, because a restored site runs it again. */
const PENDING_JOBS = `
  select identifier, queue_name, payload, priority, run_at,
    attempts - (case when jobs.locked_at is null then 0 else 1 end) as attempts, max_attempts, last_error, key, flags,
    created_at
  from graphile_worker._private_jobs as jobs
  join graphile_worker._private_tasks as tasks on tasks.id = task_id
  left join graphile_worker._private_job_queues as queues on queues.id = job_queue_id
  order by jobs.id`;

/**
 * Writes a consistent backup while the site is in use: one snapshot of the database, and the files that exist after it
 * was taken. Files are stored before any row refers to them, and never change.
 */
export async function writeBackup(
  { pool, files }: BackupSource,
  { target, temporaryPath, madeBy, version = VERSION, now, report }: DumpOptions,
): Promise<{ manifest: Manifest; bytes: number }> {
  const archive = await createArchive(target, temporaryPath, now);
  try {
    const client = await pool.connect();
    const dumped = await dumpDatabase(client, { archive, files, report }).then(
      (result) => {
        client.release();
        return result;
      },
      (error: unknown) => {
        // The connection may be in the middle of a COPY, so it is closed.
        client.release(true);
        throw error;
      },
    );
    const { storedFiles, expected, done, ...database } = dumped;
    const added =
      files === null
        ? { paths: new Set<string>(), bytes: 0 }
        : await addFiles(archive, { files, storedFiles, done, report });
    const manifest: Manifest = {
      format: FORMAT,
      madeAt: now.toISOString(),
      version,
      // Version 0.1.0 knows no other source, and must be able to read the backup that precedes an update.
      madeBy: madeBy === 'update' ? 'command' : madeBy,
      ...database,
      files: { count: added.paths.size, bytes: added.bytes },
      missing: expected.filter((path) => !added.paths.has(path)),
    };
    const text = JSON.stringify(manifest, null, 1);
    await addText(archive, MANIFEST, text);
    await addText(archive, MANIFEST_HASH, `${hashText(text)}  ${MANIFEST}\n`);
    return { manifest, bytes: await archive.finish() };
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

async function* toStream(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const addText = (archive: ArchiveWriter, name: string, text: string): Promise<WrittenEntry> =>
  archive.add(name, toStream(text));

interface DumpTarget {
  archive: ArchiveWriter;
  files: FileStore | null;
  report: DumpOptions['report'];
}

const postgresRow = z.object({ postgres: z.string() });

async function dumpDatabase(client: pg.PoolClient, { archive, files, report }: DumpTarget) {
  await client.query(`begin isolation level repeatable read read only; ${SESSION_SETTINGS}`);
  const migrations = await listMigrations(client);
  const tables = await listTables(client);
  const storedFiles = files === null ? [] : await Array.fromAsync(files.list());
  const total = sumBytes(tables) + sumBytes(storedFiles);
  const parts: TablePart[] = [];
  let done = 0;
  for (const table of tables) {
    const { name, columns, bytes } = table;
    const copy = `copy ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) to stdout`;
    const onProgress = (copied: number) =>
      report({ done: done + Math.min(copied, bytes), total, text: `正在写入数据表 ${name}` });
    const part = await addCopy(client, archive, { entry: `db/${name}.copy.gz`, copy, onProgress });
    parts.push({ name, columns, ...part });
    done += bytes;
    report({ done, total, text: `${name} ${part.rows.toLocaleString('zh-CN')} 行` });
  }
  const jobs = await addCopy(client, archive, {
    entry: JOBS_ENTRY,
    copy: `copy (${PENDING_JOBS}) to stdout`,
    onProgress: () => {},
  });
  const expected = files === null ? [] : await listReferencedPaths(client, tables);
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
    storedFiles,
    expected,
    done,
  };
}

const sumBytes = (list: readonly { bytes: number }[]): number =>
  list.reduce((total, { bytes }) => total + bytes, 0);

async function listMigrations(client: pg.PoolClient): Promise<Manifest['migrations']> {
  const { missing, unknown } = await compareMigrations(client);
  // This version does not know the tables of a newer one.
  if (unknown.length > 0)
    throw new BackupError(`数据库比程序新（多出迁移 ${unknown.join('、')}），请用新版程序备份`);
  return (await readMigrations())
    .filter(({ name }) => !missing.includes(name))
    .map(({ name, content }) => ({ name, hash: hashText(content) }));
}

interface CopyOptions {
  entry: string;
  copy: string;
  onProgress: (bytes: number) => void;
}

async function addCopy(
  client: pg.PoolClient,
  archive: ArchiveWriter,
  { entry, copy, onProgress }: CopyOptions,
) {
  const rows = client.query(to(copy));
  let copied = 0;
  const countBytes = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      copied += chunk.length;
      onProgress(copied);
      yield chunk;
    }
  };
  const written = await pipeline(
    rows,
    countBytes,
    createGzip({ level: 4, chunkSize: 256 * 1024 }),
    (content: AsyncIterable<Buffer>) => archive.add(entry, content),
  );
  // PostgreSQL reports the row count after the last row; another query waits for it.
  await client.query('select');
  return { entry, rows: rows.rowCount, ...written };
}

const pathRow = z.object({ path: z.string() });

async function listReferencedPaths(client: pg.PoolClient, tables: Table[]): Promise<string[]> {
  const selects = tables
    .filter(({ name }) => name === 'uploads' || name === 'attachments')
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => column.endsWith('path'))
        .map((column) => `select ${column} as path from ${name}`),
    );
  if (selects.length === 0) return [];
  const result = await client.query(
    `select path from (${selects.join(' union ')}) as paths where path <> '' order by 1`,
  );
  return parseRows(pathRow, result).map(({ path }) => path);
}

interface AddFilesOptions {
  files: FileStore;
  storedFiles: StoredFile[];
  done: number;
  report: DumpOptions['report'];
}

/** Skips files that were removed meanwhile or whose content does not match their name. */
async function addFiles(archive: ArchiveWriter, { files, storedFiles, done, report }: AddFilesOptions) {
  const paths = new Set<string>();
  const total = done + sumBytes(storedFiles);
  let bytes = 0;
  let processedBytes = done;
  for (const file of storedFiles) {
    const added = await addFile(archive, files, file.path);
    processedBytes += file.bytes;
    report({ done: processedBytes, total, text: `文件 ${paths.size + 1} / ${storedFiles.length}` });
    if (added === null) continue;
    paths.add(file.path);
    bytes += added.bytes;
  }
  return { paths, bytes };
}

async function addFile(archive: ArchiveWriter, files: FileStore, path: string): Promise<WrittenEntry | null> {
  const name = path.slice(1);
  try {
    return await archive.addIfHashMatches(name, await files.read(path), hashFromName(name));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
