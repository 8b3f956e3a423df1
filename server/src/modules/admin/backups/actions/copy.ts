import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { type Copies, openCopies } from '../copies.ts';
import { findFileSize, getFilePath } from '../folder.ts';
import * as queries from '../queries.ts';
import { selectExpired } from '../rules.ts';
import { notifySupers } from './notify-supers.ts';
import { getSchedule } from './plan.ts';

const JOB = 'copy-backup';
const RETRY_MS = 3_600_000;

/** Queues the copies of files on this machine. With several machines, the job may run on another one, which skips it. */
export async function queueCopies(ctx: Ctx): Promise<void> {
  const { config } = ctx.services;
  if (config.backupS3 === null) return;
  for (const { id, name } of await queries.listUncopied(ctx.db, new Date(ctx.now.getTime() - RETRY_MS))) {
    if (name === null || (await findFileSize(config, name)) === null) continue;
    await inTransaction(ctx, (ctx) => addJob(ctx, JOB, { id }, { key: `${JOB} ${id}`, maxAttempts: 1 }));
  }
}

export async function copyBackup(ctx: Ctx, id: string): Promise<void> {
  const { config, clock, log } = ctx.services;
  const row = await queries.backupRows.find(ctx.db, id);
  if (config.backupS3 === null || row === null || row.name === null || row.copiedAt !== null) return;
  if ((await findFileSize(config, row.name)) === null) return;
  try {
    const copies = await openCopies(config.backupS3);
    const isScheduled = row.madeBy === 'scheduled';
    await copies.put(getFilePath(config, row.name), { name: row.name, isScheduled });
    await queries.updateCopy(ctx.db, id, { copiedAt: clock(), copyFailedAt: null, copyError: '' });
    if (isScheduled) await removeExpired(ctx, copies);
  } catch (error) {
    log.error({ err: error }, 'backup not copied');
    const now = clock();
    const copyError = describe(error);
    await inTransaction({ ...ctx, now }, async (ctx) => {
      await queries.updateCopy(ctx.db, id, { copiedAt: null, copyFailedAt: now, copyError });
      // Once per backup, although it is tried again every hour.
      if (row.copyError === '') await notifySupers(ctx, row, `备份没有复制到 S3：${copyError}`);
    });
  }
}

function describe(error: unknown): string {
  if (error instanceof CallError) return '连不上 S3';
  return error instanceof Error ? error.message : String(error);
}

async function removeExpired(ctx: Ctx, copies: Copies): Promise<void> {
  const { copyDaily, copyWeekly } = await getSchedule(ctx);
  const retained = { daily: copyDaily, weekly: copyWeekly };
  for (const copy of selectExpired(await copies.listScheduled(), retained)) await copies.remove(copy);
}
