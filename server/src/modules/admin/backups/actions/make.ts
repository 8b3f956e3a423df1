import { stat } from 'node:fs/promises';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { notify } from '../../../accounts/users/index.ts';
import { openArchive } from '../archive.ts';
import { type Progress, writeBackup } from '../dump.ts';
import { BackupError } from '../errors.ts';
import {
  chooseName,
  findBytes,
  listFolder,
  measureFree,
  pathOf,
  removeAbandoned,
  removeFile,
} from '../folder.ts';
import { type Manifest, readManifest } from '../manifest.ts';
import * as queries from '../queries.ts';
import { ATTEMPTS, hasRoom, isDue, SILENT_MS, toRemove } from '../rules.ts';
import type { BackupRow } from '../tables.ts';
import { toContents } from '../views.ts';
import { getSchedule } from './plan.ts';

const JOB = 'make-backup';
/** How often the row hears of it, at the most and at the least. */
const PROGRESS_MS = 1000;
const HEARTBEAT_MS = 20_000;
const FAILED_DAYS_MS = 30 * 86_400_000;
const LOST_MS = 86_400_000;
const SEEING_MS = 3_600_000;

export const NO_SPACE = '磁盘空间不足，没有备份：请清理磁盘，或删除较早的备份';

export async function isRoomy(ctx: Ctx): Promise<boolean> {
  const free = await measureFree(ctx.services.config);
  return hasRoom(free, await queries.findLastBytes(ctx.db), await queries.sizeDatabase(ctx.db));
}

/** In a transaction: the row and the job that makes it. One that is open already is answered by the database. */
export async function queueBackup(ctx: Ctx, of: Pick<BackupRow, 'madeBy' | 'userId'>): Promise<string> {
  const id = newId();
  await queries.backupRows.insert(ctx.db, {
    id,
    ...of,
    status: 'waiting',
    createdAt: ctx.now,
    seenAt: ctx.now,
  });
  await queueJob(ctx, id);
  return id;
}

/** It is begun anew by us, not by the queue, which waits for hours when a process was killed. */
const queueJob = (ctx: Ctx, id: string): Promise<void> =>
  addJob(ctx, JOB, { id }, { key: `${JOB} ${id}`, maxAttempts: 1 });

export async function makeBackup(ctx: Ctx, id: string): Promise<void> {
  const { services } = ctx;
  const silentSince = new Date(ctx.now.getTime() - SILENT_MS);
  const row = await queries.startBackup(ctx.db, id, ctx.now, silentSince);
  if (row === null) return;
  const life = keepAlive(ctx, row);
  try {
    if (!(await isRoomy(ctx))) throw new BackupError(NO_SPACE);
    await removeAbandoned(services.config, silentSince);
    const { name, ...place } = await chooseName(services.config, ctx.now);
    const made = await writeBackup(services, {
      ...place,
      madeBy: row.madeBy,
      now: ctx.now,
      report: life.report,
    });
    await life.end();
    if (!(await finish(ctx, row, { ...made, name }))) await removeFile(services.config, name);
  } catch (error) {
    await life.end();
    services.log.error({ err: error }, 'backup failed');
    await fail(ctx, row, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOSPC') return '磁盘已满，备份没有写完';
  return `备份没有完成：${error instanceof Error ? error.message : String(error)}`;
}

/** Writes down how far it has come, one word after the other, and that somebody is at it. */
function keepAlive(ctx: Ctx, row: BackupRow) {
  let latest: Partial<BackupRow> = {};
  let told = 0;
  let telling = Promise.resolve();
  const tell = (): void => {
    told = Date.now();
    telling = telling.then(async () => {
      const change = { ...latest, seenAt: ctx.services.clock() };
      // Missing once it is made up for by the next; missing for long, another begins anew.
      await queries.updateBackup(ctx.db, row, change).catch(() => false);
    });
  };
  const timer = setInterval(tell, HEARTBEAT_MS);
  return {
    report({ done, total, text }: Progress): void {
      latest = { done, total, message: text };
      if (Date.now() - told >= PROGRESS_MS) tell();
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await telling;
    },
  };
}

interface Made {
  name: string;
  bytes: number;
  manifest: Manifest;
}

async function finish(ctx: Ctx, row: BackupRow, { name, bytes, manifest }: Made): Promise<boolean> {
  const now = ctx.services.clock();
  const made = { name, bytes, contents: toContents(manifest), message: '', seenAt: now, finishedAt: now };
  const isOurs = await queries.updateBackup(ctx.db, row, { ...made, status: 'done' });
  if (isOurs && row.madeBy === 'scheduled') await removeOld(ctx, now);
  return isOurs;
}

async function fail(ctx: Ctx, row: BackupRow, reason: string): Promise<void> {
  const now = ctx.services.clock();
  await inTx({ ...ctx, now }, async (ctx) => {
    const end = { status: 'failed', message: reason, seenAt: now, finishedAt: now } as const;
    if (!(await queries.updateBackup(ctx.db, row, end))) return;
    const target = { id: row.id, title: '备份', url: '/admin/backup' };
    const text = `${row.madeBy === 'scheduled' ? '定时备份' : '备份'}失败：${reason}`;
    const supers = await queries.listSupers(ctx.db);
    await notify(ctx, ...supers.map((userId) => ({ userId, kind: 'system' as const, text, target })));
  });
}

/** Of those made by the clock; what people made stays until they remove it. */
async function removeOld(ctx: Ctx, now: Date): Promise<void> {
  const { config } = ctx.services;
  const list = await queries.listScheduled(ctx.db);
  const old = [
    ...toRemove(
      list.filter(({ status }) => status === 'done'),
      await getSchedule(ctx),
    ),
    ...list.filter(
      ({ status, createdAt }) => status === 'failed' && now.getTime() - createdAt.getTime() > FAILED_DAYS_MS,
    ),
  ];
  for (const row of old) {
    if (await isElsewhere({ ...ctx, now }, row)) continue;
    if (row.name !== null) await removeFile(config, row.name);
    await queries.removeBackup(ctx.db, row.id);
  }
}

/** Whether another machine may have the file, and would find it again: one of them saw it within a day. */
export async function isElsewhere(ctx: Ctx, { name, seenAt }: BackupRow): Promise<boolean> {
  if (name === null || ctx.now.getTime() - seenAt.getTime() > LOST_MS) return false;
  return (await findBytes(ctx.services.config, name)) === null;
}

/** Every minute: what was broken off, what lies in the folder unknown, and what the clock says. */
export async function tendBackups(ctx: Ctx): Promise<void> {
  await reviveSilent(ctx);
  await adoptFiles(ctx).catch((error: unknown) => ctx.services.log.warn(error, 'folder of backups'));
  if (!isDue(await getSchedule(ctx), await queries.findLastScheduled(ctx.db), ctx.now)) return;
  // One that somebody just began by hand goes first; in a minute this is tried again.
  if (await queries.isOpen(ctx.db)) return;
  await inTx(ctx, (ctx) => queueBackup(ctx, { madeBy: 'scheduled', userId: null }));
}

async function reviveSilent(ctx: Ctx): Promise<void> {
  for (const row of await queries.listSilent(ctx.db, new Date(ctx.now.getTime() - SILENT_MS))) {
    if (row.attempts >= ATTEMPTS) await fail(ctx, row, `程序在备份途中退出了 ${ATTEMPTS} 次`);
    else await inTx(ctx, (ctx) => queueJob(ctx, row.id));
  }
}

/** Made by the command, brought here by somebody, or older than a database that was restored. */
async function adoptFiles(ctx: Ctx): Promise<void> {
  const { config, log } = ctx.services;
  const there = await listFolder(config);
  await queries.updateSeen(ctx.db, there, { now: ctx.now, before: new Date(ctx.now.getTime() - SEEING_MS) });
  // One that is being made has its name before its row says so.
  if (await queries.isOpen(ctx.db)) return;
  const known = await queries.listNames(ctx.db);
  for (const name of there.filter((name) => !known.has(name))) {
    try {
      const path = pathOf(config, name);
      const archive = await openArchive(path);
      const manifest = await readManifest(archive).finally(archive.close);
      const { size, mtime } = await stat(path);
      await queries.insertFound(ctx.db, {
        id: newId(),
        madeBy: manifest.madeBy,
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
