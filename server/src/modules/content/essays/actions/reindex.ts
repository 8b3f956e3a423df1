import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { getSearchIndex } from '@mozhan/contract/search-index.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import { getTermListVersion, updateIndexedVersion } from '../../../platform/search/index.ts';
import * as queries from '../queries/reindex.ts';
import { toReindexRun } from '../views/reindex.ts';
import { reindexEssays } from './shelf.ts';

/** Essays per transaction; they are locked until it ends. */
const BATCH_SIZE = 10;
const MAX_LISTED_RUNS = 5;
const MAX_PAUSE_MS = 1000;
/** Keeps the job short: other jobs wait for it, and so does a process that shuts down. */
const MAX_RUN_MS = 20_000;
const FIRST_ID = '0'.repeat(32);

type StepResult = 'continued' | 'finished' | 'idle';

const wake = (ctx: Ctx): Promise<void> => addJob(ctx, 'reindex-essays', {}, { key: 'reindex-essays' });

/** A unique index refuses a second run. */
export function startReindex(ctx: Ctx, viewer: Viewer): Promise<{ id: string }> {
  return inTransaction(ctx, async (ctx) => {
    const id = newId();
    const { version } = await getTermListVersion(ctx.db);
    await queries.insertRun(ctx.db, {
      id,
      state: 'running',
      termVersion: version,
      position: FIRST_ID,
      total: await queries.countShelved(ctx.db),
      startedBy: viewer.id,
      createdAt: ctx.now,
    });
    await wake(ctx);
    logChange(ctx, `reindex:${id}`, null, { state: 'running' });
    return { id };
  });
}

export function cancelReindex(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const run = await queries.lockRun(ctx.db, id);
    if (run === null) throw new CallError('NOT_FOUND');
    if (run.state !== 'running') throw new CallError('REINDEX_FINISHED');
    await queries.updateRun(ctx.db, id, { state: 'cancelled', finishedAt: ctx.now });
    logChange(ctx, `reindex:${id}`, { state: run.state }, { state: 'cancelled' });
  });
}

export async function getSearchIndexState(ctx: Ctx): Promise<z.output<typeof getSearchIndex.output>> {
  const { isIndexed } = await getTermListVersion(ctx.db);
  const runs = await queries.listRuns(ctx.db, MAX_LISTED_RUNS);
  return {
    isOutdated: !isIndexed,
    essayCount: await queries.countShelved(ctx.db),
    runs: runs.map((row) => toReindexRun(row, ctx.now)),
  };
}

/** The search entries of an author's essays contain the name. */
export function queueAuthorEssays(ctx: Ctx, authorId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.queueAuthorEssays(ctx.db, authorId);
    await wake(ctx);
  });
}

/** Indexes one batch of the run; `finished` if it was the last one. */
async function indexNextOfRun(ctx: Ctx): Promise<StepResult> {
  const run = await queries.lockRunningRun(ctx.db);
  if (run === null) return 'idle';
  const ids = await queries.listShelvedIdsAfter(ctx.db, run.position, BATCH_SIZE);
  await reindexEssays(ctx, ids);
  const isLast = ids.length < BATCH_SIZE;
  await queries.updateRun(ctx.db, run.id, {
    position: ids.at(-1) ?? run.position,
    done: run.done + ids.length,
    ...(isLast && { state: 'done', finishedAt: ctx.now }),
  });
  if (isLast) await updateIndexedVersion(ctx.db, run.termVersion);
  return isLast ? 'finished' : 'continued';
}

async function indexNextOfQueue(ctx: Ctx): Promise<StepResult> {
  const ids = await queries.claimUnindexedEssays(ctx.db, BATCH_SIZE);
  if (ids.length === 0) return 'idle';
  await reindexEssays(ctx, ids);
  return ids.length < BATCH_SIZE ? 'finished' : 'continued';
}

/** Returns `idle` when nothing is left or another process holds the lock. */
function runStep(ctx: Ctx): Promise<StepResult> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.tryLockReindexing(ctx.db))) return 'idle';
    const queued = await indexNextOfQueue(ctx);
    const result = queued === 'idle' ? await indexNextOfRun(ctx) : queued;
    // Not after every step, because lists and pages would hardly be cached during a run.
    if (result === 'finished') invalidate(ctx, 'essays');
    return result;
  });
}

/** Works for a while; what is left is stored, and another job continues there. */
export async function runReindex(ctx: Ctx): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  for (;;) {
    const start = performance.now();
    if (start > end) return wake(ctx);
    if ((await runStep({ ...ctx, now: ctx.services.clock() })) === 'idle') return;
    // Pauses as long as the step took, so that it uses half of one core at most.
    await sleep(Math.min(performance.now() - start, MAX_PAUSE_MS));
  }
}

/** Continues the work of a process that died. */
export async function resumeReindex(ctx: Ctx): Promise<void> {
  if (await queries.hasPendingWork(ctx.db)) await wake(ctx);
}
