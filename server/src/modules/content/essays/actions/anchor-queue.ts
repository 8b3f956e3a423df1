import type { Ctx } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { markQueued, markStale } from '../queries/highlights.ts';

/** Changes within this time are counted together. */
const COUNT_DELAY_MS = 3000;

async function addAnchorJob(ctx: Ctx, essayId: string, delayMs: number): Promise<void> {
  const runAt = new Date(Date.now() + delayMs);
  await addJob(ctx, 'anchor-highlights', { essayId }, { key: `anchor-highlights ${essayId}`, runAt });
}

/** Called in the transaction that changes highlights of the essay. */
export async function queueCount(ctx: Ctx, essayId: string): Promise<void> {
  if (await markQueued(ctx.db, essayId)) await addAnchorJob(ctx, essayId, COUNT_DELAY_MS);
}

/** Called in the transaction that makes another text public; does nothing if nobody has highlighted the essay. */
export async function queueAnchoring(ctx: Ctx, essayId: string): Promise<void> {
  if (await markStale(ctx.db, essayId)) await addAnchorJob(ctx, essayId, 0);
}
