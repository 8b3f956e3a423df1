import type { Ctx } from '../../../../ctx.ts';
import { addJob, addJobs } from '../../../../jobs.ts';
import { markQueued, markStale } from '../queries/highlights.ts';

/** Changes within this time are counted together. */
const COUNT_DELAY_MS = 3000;

const keyOf = (essayId: string): string => `anchor-highlights ${essayId}`;

async function addAnchorJob(ctx: Ctx, essayId: string, delayMs: number): Promise<void> {
  const runAt = new Date(Date.now() + delayMs);
  await addJob(ctx, 'anchor-highlights', { essayId }, { key: keyOf(essayId), runAt });
}

/** Called in the transaction that changes highlights of the essay. */
export async function queueCount(ctx: Ctx, essayId: string): Promise<void> {
  const queued = await markQueued(ctx.db, [essayId]);
  if (queued.length > 0) await addAnchorJob(ctx, essayId, COUNT_DELAY_MS);
}

/** Building a larger statement would block the process. */
const BATCH_SIZE = 500;

/** Like `queueCount`, for the essays of a reader who leaves. */
export async function queueCounts(ctx: Ctx, essayIds: readonly string[]): Promise<void> {
  for (let from = 0; from < essayIds.length; from += BATCH_SIZE) {
    const queued = await markQueued(ctx.db, essayIds.slice(from, from + BATCH_SIZE));
    await addJobs(
      ctx,
      'anchor-highlights',
      queued.map((essayId) => ({ essayId })),
      { keys: queued.map(keyOf) },
    );
  }
}

/** Called in the transaction that makes another text public; does nothing if nobody has highlighted the essay. */
export async function queueAnchoring(ctx: Ctx, essayId: string): Promise<void> {
  if (await markStale(ctx.db, essayId)) await addAnchorJob(ctx, essayId, 0);
}
