import { Readable } from 'node:stream';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { countEssays } from '../queries/contents.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';
import { writeZip } from '../zip/write.ts';
import { dropFile, forgetFile } from './files.ts';
import { importArchive } from './import.ts';
import { packFiles } from './pack.ts';
import { type OpenRun, openRun, type Run, Stopped } from './run.ts';
import { undoImport } from './undo.ts';

/** A run that breaks so often would break again. */
const MOST_FAILURES = 5;
const TURN_MS = 10_000;

async function exportRun(run: Run): Promise<Partial<TransferRow>> {
  const { row } = run;
  const ctx = run.ctx();
  const { files } = ctx.services;
  if (row.scope === 'author' && row.authorId === null)
    throw new CallError('INVALID', { message: '这位作者已不在' });
  run.setTotal(await countEssays(ctx.db, row.authorId));
  const packing = packFiles(ctx, {
    authorId: row.authorId,
    onEssay() {
      run.check();
      run.advance();
    },
    onMissing: async (name, of) => {
      const note = `${of}：文件不在了`;
      await run.note(run.ctx(), { key: name, kind: 'file', outcome: 'skipped', title: name, note });
    },
  });
  const zip = await files.receive(row.fileName, Readable.from(writeZip(packing), { objectMode: false }));
  try {
    run.check();
    const filePath = await files.keepPrivate(zip);
    return { filePath, fileBytes: zip.bytes, status: 'done' };
  } finally {
    await files.discard(zip);
  }
}

async function work(run: Run): Promise<Partial<TransferRow>> {
  if (run.row.kind === 'export') return exportRun(run);
  if (run.row.status === 'undoing') {
    await undoImport(run);
    return { status: 'undone' };
  }
  return { ...(await importArchive(run)), status: 'done' };
}

/** What was begun goes on where it was left, in whichever process. */
export async function runTransfer(ctx: Ctx, id: string): Promise<void> {
  if (await queries.isOwnTurnTaken(ctx.db, id, ctx.now)) {
    const runAt = new Date(Date.now() + TURN_MS);
    return addJob(ctx, 'run-transfer', { id }, { key: `transfer:${id}`, maxAttempts: 3, runAt });
  }
  const runner = newId();
  const row = await queries.claimRun(ctx.db, id, runner, ctx.now);
  if (row === null) return;
  const run = openRun(ctx, row, runner);
  try {
    if (row.failures >= MOST_FAILURES) await giveBack(ctx, run, runner, row.failures);
    else await finish(ctx, run, runner, await work(run));
  } catch (error) {
    if (error instanceof Stopped) return await report(ctx, row);
    if (error instanceof CallError && error.status < 500) {
      if (error.cause !== undefined) ctx.services.log.warn({ err: error.cause, id }, 'transfer');
      await finish(ctx, run, runner, { status: 'failed', message: error.message });
      return;
    }
    await giveBack(ctx, run, runner, row.failures + 1);
    throw error;
  } finally {
    run.close();
  }
}

/** Somebody else may go on at once, unless it has failed too often. */
async function giveBack(ctx: Ctx, run: OpenRun, runner: string, failures: number): Promise<void> {
  if (failures >= MOST_FAILURES)
    await finish(ctx, run, runner, { status: 'failed', message: '多次出错，已停止；服务器的日志里有原因' });
  else await queries.keepRun(ctx.db, run.row.id, runner, { runner: null, failures });
}

async function finish(ctx: Ctx, run: OpenRun, runner: string, fields: Partial<TransferRow>): Promise<void> {
  const { row } = run;
  const counts = await queries.summarise(ctx.db, row.id);
  const { total, done } = run.counts();
  const reached = fields.status === 'failed' ? { total, done } : { total: done, done };
  const ended = { ...fields, ...reached, report: counts, endedAt: run.ctx().now, failures: 0, runner: null };
  const isOurs = await queries.keepRun(ctx.db, row.id, runner, ended);
  // An upload has served its purpose.
  if (isOurs && row.kind === 'import') await forgetFile(ctx, row);
  // Cancelled, or taken over, after it was made.
  if (!isOurs && fields.filePath) await dropFile(ctx, fields.filePath);
}

/** Of what was stopped midway. */
async function report(ctx: Ctx, row: TransferRow): Promise<void> {
  const now = await queries.transferRows.find(ctx.db, row.id);
  if (now?.status !== 'cancelled') return;
  await queries.transferRows.update(ctx.db, row.id, { report: await queries.summarise(ctx.db, row.id) });
  if (row.kind === 'import') await forgetFile(ctx, row);
}

/** Each minute: what nobody works at any more, since its process was killed. */
export async function resumeTransfers(ctx: Ctx): Promise<void> {
  for (const { id } of await queries.listSilent(ctx.db, ctx.now)) await startRun(ctx, id);
}

export const startRun = (ctx: Ctx, id: string): Promise<void> =>
  addJob(ctx, 'run-transfer', { id }, { key: `transfer:${id}`, maxAttempts: 3 });
