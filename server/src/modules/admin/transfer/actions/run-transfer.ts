import { Readable } from 'node:stream';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { countEssays } from '../queries/contents.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';
import { writeZip } from '../zip/write.ts';
import { analyseArchive } from './analyse.ts';
import { exportFiles } from './export.ts';
import { resumePictures } from './fetch-pictures.ts';
import { removeRunFile, removeUnusedFile } from './files.ts';
import { importArchive } from './import.ts';
import { type OpenRun, openRun, type Run, RunStoppedError } from './run.ts';
import { undoImport } from './undo.ts';

const MAX_FAILURES = 5;
const RETRY_DELAY_MS = 10_000;

async function runExport(run: Run): Promise<Partial<TransferRow>> {
  const { row } = run;
  const ctx = run.ctx();
  const { files } = ctx.services;
  if (row.scope === 'author' && row.authorId === null)
    throw new CallError('INVALID', { message: '这位作者已不在' });
  run.setTotal(await countEssays(ctx.db, row.authorId));
  const archiveFiles = exportFiles(ctx, {
    authorId: row.authorId,
    onEssay() {
      run.throwIfStopped();
      run.advance();
    },
    onMissing: async (name, title) => {
      const note = `${title}：文件不在了`;
      await run.recordItem(run.ctx(), { key: name, kind: 'file', outcome: 'skipped', title: name, note });
    },
  });
  const zip = await files.receive(row.fileName, Readable.from(writeZip(archiveFiles), { objectMode: false }));
  try {
    run.throwIfStopped();
    const filePath = await files.storePrivate(zip);
    return { filePath, fileBytes: zip.bytes, status: 'done' };
  } finally {
    await files.discard(zip);
  }
}

async function runByKind(run: Run): Promise<Partial<TransferRow>> {
  if (run.row.kind === 'export') return runExport(run);
  if (run.row.status === 'undoing') {
    await undoImport(run);
    return { status: 'undone' };
  }
  if (run.row.status === 'checking') return { ...(await analyseArchive(run)), status: 'ready' };
  return { ...(await importArchive(run)), status: 'done' };
}

/** Continues an interrupted run in any process. */
export async function runTransfer(ctx: Ctx, id: string): Promise<void> {
  if (await queries.isOtherOwnExportRunning(ctx.db, id, ctx.now)) {
    const runAt = new Date(Date.now() + RETRY_DELAY_MS);
    return addJob(ctx, 'run-transfer', { id }, { key: `transfer:${id}`, maxAttempts: 3, runAt });
  }
  const runner = newId();
  const row = await queries.claimRun(ctx.db, id, runner, ctx.now);
  if (row === null) return;
  const run = openRun(ctx, row, runner);
  try {
    if (row.failures >= MAX_FAILURES) await releaseRun(ctx, run, runner, row.failures);
    else await finish(ctx, run, runner, await runByKind(run));
  } catch (error) {
    if (error instanceof RunStoppedError) return await saveReport(ctx, row);
    if (error instanceof CallError && error.status < 500) {
      if (error.cause !== undefined) ctx.services.log.warn({ err: error.cause, id }, 'transfer');
      await finish(ctx, run, runner, { status: 'failed', message: error.message });
      return;
    }
    await releaseRun(ctx, run, runner, row.failures + 1);
    throw error;
  } finally {
    run.close();
  }
}

/** Another process may continue immediately, unless the run has failed too often. */
async function releaseRun(ctx: Ctx, run: OpenRun, runner: string, failures: number): Promise<void> {
  if (failures >= MAX_FAILURES)
    await finish(ctx, run, runner, { status: 'failed', message: '多次出错，已停止；服务器的日志里有原因' });
  else await queries.updateClaimedRun(ctx.db, run.row.id, runner, { runner: null, failures });
}

async function finish(ctx: Ctx, run: OpenRun, runner: string, fields: Partial<TransferRow>): Promise<void> {
  const { row } = run;
  const counts = await queries.summarise(ctx.db, row.id);
  const { total, done } = run.counts();
  const progress = fields.status === 'failed' ? { total, done } : { total: done, done };
  const { now } = run.ctx();
  // A checked import keeps its file until it is started or has expired.
  const isChecked = fields.status === 'ready';
  const times = { aliveAt: now, endedAt: isChecked ? null : now };
  const ended = { ...fields, ...progress, ...times, report: counts, failures: 0, runner: null };
  const isClaimed = await queries.updateClaimedRun(ctx.db, row.id, runner, ended);
  if (isClaimed && row.kind === 'import' && !isChecked) {
    await resumePictures(ctx);
    await removeRunFile(ctx, row);
  }
  // The run was cancelled or claimed by another process after the file was created.
  if (!isClaimed && fields.filePath) await removeUnusedFile(ctx, fields.filePath);
}

/** Completes the report of a cancelled run. */
async function saveReport(ctx: Ctx, row: TransferRow): Promise<void> {
  const current = await queries.transferRows.find(ctx.db, row.id);
  if (current?.status !== 'cancelled') return;
  await queries.transferRows.update(ctx.db, row.id, { report: await queries.summarise(ctx.db, row.id) });
  if (row.kind === 'import') await removeRunFile(ctx, row);
}

/** Runs every minute and restarts runs whose process was killed. */
export async function resumeTransfers(ctx: Ctx): Promise<void> {
  for (const { id } of await queries.listStalled(ctx.db, ctx.now)) await queueRun(ctx, id);
}

export const queueRun = (ctx: Ctx, id: string): Promise<void> =>
  addJob(ctx, 'run-transfer', { id }, { key: `transfer:${id}`, maxAttempts: 3 });
