import { stat } from 'node:fs/promises';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { openArchive } from '../archive.ts';
import { type Progress, writeBackup } from '../dump.ts';
import { BackupError } from '../errors.ts';
import {
  chooseFileName,
  findFileSize,
  getFilePath,
  getFreeBytes,
  listBackupFiles,
  removeAbandonedFiles,
  removeFile,
} from '../folder.ts';
import { type Manifest, readManifest } from '../manifest.ts';
import * as queries from '../queries.ts';
import {
  hasEnoughSpace,
  isDue,
  isUpdateBackup,
  MAX_ATTEMPTS,
  STALLED_AFTER_MS,
  selectExpired,
} from '../rules.ts';
import type { BackupRow } from '../tables.ts';
import { toContents } from '../views.ts';
import { queueCopies } from './copy.ts';
import { notifySupers } from './notify-supers.ts';
import { getSchedule } from './plan.ts';

const JOB = 'make-backup';
/** The shortest and the longest interval between updates of the row. */
const PROGRESS_MS = 1000;
const HEARTBEAT_MS = 20_000;
const FAILED_RETENTION_MS = 30 * 86_400_000;
const LOST_AFTER_MS = 86_400_000;
const SEEN_INTERVAL_MS = 3_600_000;

export const NO_SPACE = '磁盘空间不足，没有备份：请清理磁盘，或删除较早的备份';

export async function hasEnoughDiskSpace(ctx: Ctx): Promise<boolean> {
  const free = await getFreeBytes(ctx.services.config);
  return hasEnoughSpace(free, await queries.findLastBytes(ctx.db), await queries.getDatabaseSize(ctx.db));
}

/** Must run in a transaction; a unique index rejects a second unfinished backup. */
export async function queueBackup(ctx: Ctx, fields: Pick<BackupRow, 'madeBy' | 'userId'>): Promise<string> {
  const id = newId();
  await queries.backupRows.insert(ctx.db, {
    id,
    ...fields,
    status: 'waiting',
    createdAt: ctx.now,
    seenAt: ctx.now,
  });
  await queueJob(ctx, id);
  return id;
}

/** `maintainBackups` restarts a failed backup, because the queue waits for hours after a process was killed. */
const queueJob = (ctx: Ctx, id: string): Promise<void> =>
  addJob(ctx, JOB, { id }, { key: `${JOB} ${id}`, maxAttempts: 1 });

export async function runBackup(ctx: Ctx, id: string): Promise<void> {
  const { services } = ctx;
  const stalledSince = new Date(ctx.now.getTime() - STALLED_AFTER_MS);
  const row = await queries.claimBackup(ctx.db, id, ctx.now, stalledSince);
  if (row === null) return;
  const heartbeat = startHeartbeat(ctx, row);
  try {
    if (!(await hasEnoughDiskSpace(ctx))) throw new BackupError(NO_SPACE);
    await removeAbandonedFiles(services.config, stalledSince);
    const { name, ...paths } = await chooseFileName(services.config, ctx.now);
    const written = await writeBackup(services, {
      ...paths,
      madeBy: row.madeBy,
      now: ctx.now,
      report: heartbeat.report,
    });
    await heartbeat.end();
    if (!(await finish(ctx, row, { ...written, name }))) await removeFile(services.config, name);
  } catch (error) {
    await heartbeat.end();
    services.log.error({ err: error }, 'backup failed');
    await fail(ctx, row, describeError(error));
  }
}

export function describeError(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC') return '磁盘已满，备份没有写完';
  return `备份没有完成：${error instanceof Error ? error.message : String(error)}`;
}

function startHeartbeat(ctx: Ctx, row: BackupRow) {
  let latest: Partial<BackupRow> = {};
  let lastUpdate = 0;
  let pendingUpdate = Promise.resolve();
  const update = (): void => {
    lastUpdate = Date.now();
    pendingUpdate = pendingUpdate.then(async () => {
      const change = { ...latest, seenAt: ctx.services.clock() };
      // The next update makes up for a failed one; after longer failures another process restarts the backup.
      await queries.updateBackup(ctx.db, row, change).catch(() => false);
    });
  };
  const timer = setInterval(update, HEARTBEAT_MS);
  return {
    report({ done, total, text }: Progress): void {
      latest = { done, total, message: text };
      if (Date.now() - lastUpdate >= PROGRESS_MS) update();
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await pendingUpdate;
    },
  };
}

interface WrittenBackup {
  name: string;
  bytes: number;
  manifest: Manifest;
}

async function finish(ctx: Ctx, row: BackupRow, { name, bytes, manifest }: WrittenBackup): Promise<boolean> {
  const now = ctx.services.clock();
  const result = { name, bytes, contents: toContents(manifest), message: '', seenAt: now, finishedAt: now };
  const isClaimed = await queries.updateBackup(ctx.db, row, { ...result, status: 'done' });
  if (isClaimed && row.madeBy === 'scheduled') await removeExpired(ctx, now);
  return isClaimed;
}

async function fail(ctx: Ctx, row: BackupRow, reason: string): Promise<void> {
  const now = ctx.services.clock();
  await inTransaction({ ...ctx, now }, async (ctx) => {
    const end = { status: 'failed', message: reason, seenAt: now, finishedAt: now } as const;
    if (!(await queries.updateBackup(ctx.db, row, end))) return;
    await notifySupers(ctx, row, `${row.madeBy === 'scheduled' ? '定时备份' : '备份'}失败：${reason}`);
  });
}

/** Removes only scheduled backups; others stay until an operator removes them. */
async function removeExpired(ctx: Ctx, now: Date): Promise<void> {
  const { config } = ctx.services;
  const list = await queries.listScheduled(ctx.db);
  const old = [
    ...selectExpired(
      list.filter(({ status }) => status === 'done'),
      await getSchedule(ctx),
    ),
    ...list.filter(
      ({ status, createdAt }) =>
        status === 'failed' && now.getTime() - createdAt.getTime() > FAILED_RETENTION_MS,
    ),
  ];
  for (const row of old) {
    if (await isOnOtherMachine({ ...ctx, now }, row)) continue;
    if (row.name !== null) await removeFile(config, row.name);
    await queries.removeBackup(ctx.db, row.id);
  }
}

/** True when the file is not here but another machine found it within the last day. */
export async function isOnOtherMachine(ctx: Ctx, { name, seenAt }: BackupRow): Promise<boolean> {
  if (name === null || ctx.now.getTime() - seenAt.getTime() > LOST_AFTER_MS) return false;
  return (await findFileSize(ctx.services.config, name)) === null;
}

/** Runs every minute: restarts stalled backups, registers found files, queues copies and starts the scheduled backup. */
export async function maintainBackups(ctx: Ctx): Promise<void> {
  await restartStalled(ctx);
  await registerFoundFiles(ctx).catch((error: unknown) => ctx.services.log.warn(error, 'folder of backups'));
  await queueCopies(ctx);
  if (!isDue(await getSchedule(ctx), await queries.findLastScheduled(ctx.db), ctx.now)) return;
  // Waits for a running manual backup; the next minute tries again.
  if (await queries.isAnyUnfinished(ctx.db)) return;
  await inTransaction(ctx, (ctx) => queueBackup(ctx, { madeBy: 'scheduled', userId: null }));
}

async function restartStalled(ctx: Ctx): Promise<void> {
  for (const row of await queries.listStalled(ctx.db, new Date(ctx.now.getTime() - STALLED_AFTER_MS))) {
    if (row.attempts >= MAX_ATTEMPTS) await fail(ctx, row, `程序在备份途中退出了 ${MAX_ATTEMPTS} 次`);
    else await inTransaction(ctx, (ctx) => queueJob(ctx, row.id));
  }
}

/** Adds rows for files that were created by the command, copied here, or are older than a restored database. */
async function registerFoundFiles(ctx: Ctx): Promise<void> {
  const { config, log } = ctx.services;
  const fileNames = await listBackupFiles(config);
  await queries.markFilesSeen(ctx.db, fileNames, {
    now: ctx.now,
    before: new Date(ctx.now.getTime() - SEEN_INTERVAL_MS),
  });
  // The file of a running backup gets its name before its row does.
  if (await queries.isAnyUnfinished(ctx.db)) return;
  const known = await queries.listFileNames(ctx.db);
  for (const name of fileNames.filter((name) => !known.has(name))) {
    try {
      const path = getFilePath(config, name);
      const archive = await openArchive(path);
      const manifest = await readManifest(archive).finally(archive.close);
      const { size, mtime } = await stat(path);
      await queries.insertFoundBackup(ctx.db, {
        id: newId(),
        madeBy: isUpdateBackup(name) ? 'update' : manifest.madeBy,
        status: 'done',
        name,
        bytes: size,
        contents: toContents(manifest),
        createdAt: new Date(manifest.madeAt),
        seenAt: ctx.now,
        finishedAt: mtime,
      });
    } catch (error) {
      log.debug({ err: error, name }, 'not a whole backup');
    }
  }
}
