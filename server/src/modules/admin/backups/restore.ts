import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { z } from 'zod';
import {
  applyMigrations,
  compareMigrations,
  readMigrations,
  tryLockMigrations,
} from '../../../db/migrate.ts';
import { countRow, parseRow } from '../../../db/rows.ts';
import { isServerRunning } from '../../../db/running-server.ts';
import type { FileStore } from '../../../files/files.ts';
import type { Encryption } from '../../../secrets/encryption.ts';
import { type LostSecrets, reencryptSecrets } from '../../../secrets/secrets.ts';
import { type ArchiveEntry, type ArchiveReader, openArchive } from './archive.ts';
import {
  dropMigrationObjects,
  listExistingTables,
  listIndexesAndConstraints,
  listStructure,
  listTables,
  quoteIdentifier,
  SESSION_SETTINGS,
} from './catalog.ts';
import type { Progress } from './dump.ts';
import { BackupError } from './errors.ts';
import { hashText, isStoredFile, type Manifest, type TablePart, verifyArchive } from './manifest.ts';

/** Distinguishes the connections of a restore from those of a server. */
export const RESTORE_APPLICATION_NAME = 'mozhan-restore';

/** More memory speeds up building indexes; the restore fails when another connection locks a table. */
const LOAD_SETTINGS = "set local maintenance_work_mem = '128MB'; set local lock_timeout = '10s';";

export interface OpenedBackup {
  archive: ArchiveReader;
  manifest: Manifest;
}

type Report = (progress: Progress) => void;

/** Verifies the entire archive before anything is changed. */
export async function openBackup(path: string, report: Report): Promise<OpenedBackup> {
  const archive = await openArchive(path);
  try {
    const manifest = await verifyArchive(archive, (done, total) => report({ done, total, text: '校验' }));
    await checkMigrations(manifest);
    return { archive, manifest };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

async function checkMigrations({ migrations, version }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, content }) => [name, hashText(content)]));
  const unknown = migrations.filter(({ name }) => !known.has(name));
  if (unknown.length > 0)
    throw new BackupError(
      `这份备份来自更新的墨栈（版本 ${version}，多出迁移 ${unknown.map(({ name }) => name).join('、')}），请先更新程序再恢复`,
    );
  const other = migrations.find(({ name, hash }) => known.get(name) !== hash);
  if (other !== undefined)
    throw new BackupError(`程序里的数据库迁移 ${other.name} 与备份时的不同，请用没有改动过的墨栈恢复`);
}

export interface RestoreTarget {
  /** Its connections are named RESTORE_APPLICATION_NAME and have no timeouts. */
  pool: pg.Pool;
  files: FileStore;
  /** Restored secrets are encrypted with the current key of this installation. */
  encryption: Encryption;
}

export interface RestoreOptions {
  withJobs: boolean;
  /** Called with the number of users when the database already contains a site. */
  confirmReplace: (userCount: number) => Promise<boolean>;
  /** Discards secrets whose key is missing instead of refusing the restore. */
  withoutKey: boolean;
  /** Keeps the schema of the backup, for the older version of the program that wrote it. */
  downgrade?: boolean;
  report: Report;
}

/**
 * Restores the files first and then the database in one transaction: after an error the database is unchanged, and a
 * server that starts meanwhile waits.
 */
export async function restoreBackup(
  { pool, files, encryption }: RestoreTarget,
  backup: OpenedBackup,
  { withJobs, withoutKey, downgrade = false, confirmReplace, report }: RestoreOptions,
): Promise<LostSecrets> {
  if (!withoutKey) requireKeys(backup.manifest, encryption.hasKey);
  const client = await pool.connect();
  try {
    await requireNoServer(client);
    const userCount = await countUsers(client);
    if (userCount > 0 && !(await confirmReplace(userCount)))
      throw new BackupError(
        `数据库里已有 ${userCount} 位用户，没有恢复：要用备份替换现有的网站，请加上 --replace`,
      );
    await restoreFiles(files, backup, report);
    await runMigrations({ pgPool: pool });
    await client.query(`begin; ${SESSION_SETTINGS} ${LOAD_SETTINGS}`);
    await dropMigrationObjects(client);
    await loadDatabase(client, backup, report);
    if (!downgrade) await applyLaterMigrations(client, backup.manifest);
    await loadJobs(client, backup, withJobs);
    const lost = await reencryptSecrets(client, encryption, { withoutKey });
    await client.query('commit');
    return lost;
  } finally {
    // Unlocks at once, because PostgreSQL notices a closed connection only later, and another restore may follow.
    await client.query('rollback; select pg_advisory_unlock_all()').catch(() => {});
    client.release(true);
  }
}

/** A backup contains encrypted secrets but not their keys, so the keys are checked before anything is changed. */
export function requireKeys({ keys }: Manifest, hasKey: (keyId: string) => boolean): void {
  const missing = keys.filter((keyId) => !hasKey(keyId));
  if (missing.length === 0) return;
  throw new BackupError(
    `没有恢复：备份里的机密是用编号为 ${missing.join('、')} 的密钥加密的，这里没有它。请把当时的密钥文件 secret.key 的路径` +
      '（或密钥本身）写在 SECRET_KEY_OLD 里再恢复；密钥已经丢失的，加上 --without-key：两步验证会关闭，' +
      '外部通知会换新的密钥，所有人须重新登录，没有发出的邮件和短信不再发送',
  );
}

async function requireNoServer(client: pg.PoolClient): Promise<void> {
  const isLocked = await tryLockMigrations(client);
  if (!isLocked || (await isServerRunning(client)))
    throw new BackupError('墨栈正在这个数据库上运行，没有恢复：请先停止它的所有进程');
}

const isThereRow = z.object({ isThere: z.boolean() });

async function countUsers(client: pg.PoolClient): Promise<number> {
  const result = await client.query(
    `select to_regclass('migrations') is not null and to_regclass('users') is not null as "isThere"`,
  );
  if (!parseRow(isThereRow, result).isThere) return 0;
  const { unknown } = await compareMigrations(client);
  if (unknown.length > 0)
    throw new BackupError(`数据库比程序新（多出迁移 ${unknown.join('、')}），没有恢复：请先更新程序`);
  return parseRow(countRow, await client.query('select count(*)::int as count from users')).count;
}

async function restoreFiles(
  files: FileStore,
  { archive, manifest }: OpenedBackup,
  report: Report,
): Promise<void> {
  let done = 0;
  for (const entry of archive.entries.filter(isStoredFile)) {
    await files.restore(`/${entry.name}`, archive.read(entry));
    done += 1;
    report({ done, total: manifest.files.count, text: `文件 ${done} / ${manifest.files.count}` });
  }
}

async function loadDatabase(client: pg.PoolClient, backup: OpenedBackup, report: Report): Promise<void> {
  const { manifest } = backup;
  await applyMigrations(
    client,
    manifest.migrations.map(({ name }) => name),
  );
  await checkColumns(client, manifest);
  const present = await listExistingTables(client);
  const structure = await listStructure(client, present);
  const dropped = await listIndexesAndConstraints(client, present);
  for (const { drop } of dropped) await client.query(drop);
  for (const name of present) await client.query(`alter table ${quoteIdentifier(name)} disable trigger user`);
  await loadTables(client, backup, report);
  for (const [index, { create }] of dropped.toReversed().entries()) {
    report({ done: index, total: dropped.length, text: '建立索引与约束' });
    await client.query(create);
  }
  for (const name of present) await client.query(`alter table ${quoteIdentifier(name)} enable trigger user`);
  for (const { name, value, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [quoteIdentifier(name), value, isCalled]);
  if ((await listStructure(client, present)).join('\n') !== structure.join('\n'))
    throw new Error('constraints, indexes or triggers are not what they were before loading');
  report({ done: 0, total: 1, text: '整理统计信息' });
  await client.query(`analyze ${present.map(quoteIdentifier).join(', ')}`);
}

async function applyLaterMigrations(client: pg.PoolClient, { migrations }: Manifest): Promise<void> {
  const applied = new Set(migrations.map(({ name }) => name));
  const later = (await readMigrations()).map(({ name }) => name).filter((name) => !applied.has(name));
  await applyMigrations(client, later);
}

async function checkColumns(client: pg.PoolClient, { tables }: Manifest): Promise<void> {
  const present = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const missing = columns.filter((column) => present.get(name)?.includes(column) !== true);
    if (missing.length > 0) throw new BackupError(`备份里的表 ${name} 与程序的不同：${missing.join('、')}`);
  }
}

async function loadTables(client: pg.PoolClient, backup: OpenedBackup, report: Report): Promise<void> {
  const { tables } = backup.manifest;
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  // Migrations insert rows into some tables.
  await client.query(`truncate ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')}`);
  let done = 0;
  for (const table of tables) {
    const { name, columns, bytes, rows } = table;
    report({ done, total, text: `正在读入 ${name} ${rows.toLocaleString('zh-CN')} 行` });
    // `freeze` is possible because the table was created in this transaction; it saves a later vacuum.
    const copy = `copy ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) from stdin (freeze)`;
    await loadCopy(client, backup, { part: table, copy });
    done += bytes;
  }
}

interface CopyOptions {
  part: Pick<TablePart, 'entry' | 'rows'>;
  copy: string;
}

async function loadCopy(
  client: pg.PoolClient,
  { archive }: OpenedBackup,
  { part, copy }: CopyOptions,
): Promise<void> {
  const entry = archive.entries.find(({ name }) => name === part.entry) as ArchiveEntry;
  const target = client.query(from(copy));
  await pipeline(archive.read(entry), createGunzip({ chunkSize: 256 * 1024 }), target);
  if (target.rowCount !== part.rows)
    throw new BackupError(`备份里的 ${part.entry} 应有 ${part.rows} 行，读到 ${target.rowCount} 行`);
}

/** Backups store jobs in their own format, because graphile-worker's tables may change between versions. */
async function loadJobs(client: pg.PoolClient, backup: OpenedBackup, withJobs: boolean): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs');
  if (!withJobs) {
    // Pending webhook deliveries have rows of their own, which would be sent as well.
    await client.query("update webhook_deliveries set status = 'failed' where status = 'waiting'");
    return;
  }
  await client.query(`
    create table restored_jobs (
      identifier text, queue_name text, payload json, priority smallint, run_at timestamptz, attempts smallint,
      max_attempts smallint, last_error text, key text, flags jsonb, created_at timestamptz,
      place bigint generated always as identity
    )`);
  const columns =
    'identifier, queue_name, payload, priority, run_at, attempts, max_attempts, last_error, key, flags, created_at';
  await loadCopy(client, backup, {
    part: backup.manifest.jobs,
    copy: `copy restored_jobs (${columns}) from stdin`,
  });
  await client.query(`
    insert into graphile_worker._private_tasks (identifier)
    select distinct identifier from restored_jobs on conflict do nothing`);
  await client.query(`
    insert into graphile_worker._private_job_queues (queue_name)
    select distinct queue_name from restored_jobs where queue_name is not null on conflict do nothing`);
  await client.query(`
    insert into graphile_worker._private_jobs (task_id, job_queue_id, payload, priority, run_at, attempts, max_attempts,
      last_error, key, flags, created_at)
    select tasks.id, queues.id, payload, priority, run_at, attempts, max_attempts, last_error, key, flags, created_at
    from restored_jobs
    join graphile_worker._private_tasks as tasks using (identifier)
    left join graphile_worker._private_job_queues as queues using (queue_name)
    order by place`);
  await client.query('drop table restored_jobs');
}
