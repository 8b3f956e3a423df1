import { createHmac } from 'node:crypto';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { isbot } from 'isbot';
import { type Ctx, inTransaction, type Services } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { systemCtx } from '../../../../jobs.ts';
import { recordTrends } from '../../../accounts/activity/index.ts';
import { updateHeat } from '../../../platform/search/index.ts';
import { addToEssayCounters } from '../queries/counters.ts';
import {
  type EssayRead,
  insertReads,
  listReadSince,
  removeOldReads,
  upsertHistory,
} from '../queries/reads.ts';
import { essayNotFound } from '../rules/essays.ts';
import { engagementOf } from '../rules/hot.ts';

interface PendingRead extends EssayRead {
  resolve: (counted: boolean | null) => void;
  reject: (error: unknown) => void;
}

/** Reads that arrive within this time are written in one transaction. */
const BATCH_WINDOW_MS = 100;
const buffers = new WeakMap<Services, PendingRead[]>();

/** A keyed hash, so that readers can be counted without storing who they are. */
export const readerKeyOf = (ctx: Ctx): Buffer =>
  createHmac('sha256', ctx.services.secret)
    .update(ctx.viewer === null ? `${ctx.requester.address}\n${ctx.requester.userAgent}` : ctx.viewer.id)
    .digest()
    .subarray(0, 16);

export const isRobot = ({ requester }: Ctx): boolean =>
  requester.userAgent === '' || isbot(requester.userAgent);

/**
 * Counts a reader of an essay once a day, never a robot, and saves the progress of a signed-in reader. Inside a
 * transaction it writes directly, because waiting for the batch would occupy two connections.
 */
export async function countRead(ctx: Ctx, essayId: string, progress: number | undefined): Promise<boolean> {
  if (isRobot(ctx)) return false;
  const read: EssayRead = {
    essayId,
    reader: readerKeyOf(ctx),
    userId: ctx.viewer?.id ?? null,
    progress: progress ?? null,
  };
  const counted = await (ctx.effects === null ? enqueue(ctx, read) : writeRead(ctx, read));
  if (counted === null) throw essayNotFound();
  return counted;
}

function enqueue({ services }: Ctx, read: EssayRead): Promise<boolean | null> {
  return new Promise((resolve, reject) => {
    const waiting = buffers.get(services);
    const entry = { ...read, resolve, reject };
    if (waiting !== undefined) {
      waiting.push(entry);
      return;
    }
    buffers.set(services, [entry]);
    setTimeout(() => void flush(services), BATCH_WINDOW_MS);
  });
}

async function writeRead(ctx: Ctx, read: EssayRead): Promise<boolean | null> {
  const { known, counted } = await writeReads(ctx, [read]);
  return known.has(read.essayId) ? counted.size > 0 : null;
}

async function flush(services: Services): Promise<void> {
  const waiting = buffers.get(services) ?? [];
  buffers.delete(services);
  try {
    const { known, counted } = await inTransaction(systemCtx(services), (ctx) => writeReads(ctx, waiting));
    for (const each of waiting) {
      const key = `${each.essayId}:${each.reader.toString('hex')}`;
      // Of equal reads in one batch only the first counts.
      each.resolve(known.has(each.essayId) ? counted.delete(key) : null);
    }
  } catch (error) {
    for (const each of waiting) each.reject(error);
  }
}

async function writeReads(
  ctx: Ctx,
  reads: EssayRead[],
): Promise<{ known: Set<string>; counted: Set<string> }> {
  const { known, counted } = await insertReads(ctx.db, chinaDayOf(ctx.now), reads);
  const sums = Map.groupBy(counted, (each) => each.essayId);
  await addToEssayCounters(
    ctx,
    [...sums].map(([essayId, readers]) => ({ essayId, reads: readers.length })),
  );
  const signedIn = reads
    .filter((read) => known.has(read.essayId))
    .flatMap(({ userId, ...read }) => (userId === null ? [] : [{ ...read, userId }]));
  // The last progress of a reader in the batch wins.
  const latest = new Map(signedIn.map((read) => [`${read.userId}:${read.essayId}`, read]));
  await upsertHistory(ctx.db, ctx.now, [...latest.values()]);
  const keys = new Set(counted.map((each) => `${each.essayId}:${each.reader}`));
  const newReads = [...latest.values()].filter((read) =>
    keys.has(`${read.essayId}:${read.reader.toString('hex')}`),
  );
  await recordTrends(
    ctx,
    newReads.map(({ userId, essayId }) => ({
      userId,
      type: TREND_TYPE.read,
      targetKind: 'essay',
      targetId: essayId,
    })),
  );
  return { known, counted: keys };
}

const DAY_MS = 86_400_000;
const yesterday = (ctx: Ctx): string => chinaDayOf(new Date(ctx.now.getTime() - DAY_MS));

/** Reader keys are needed only to recognize a reader on the same day. */
export const deleteExpiredReads = (ctx: Ctx): Promise<void> => removeOldReads(ctx.db, yesterday(ctx));

const BATCH_SIZE = 500;
const MIN_ID = '0'.repeat(32);

/** Updates the heat of recently read essays in the search index; doing so at every read would be too expensive. */
export async function refreshHeat(ctx: Ctx): Promise<void> {
  for (let after = MIN_ID, isMore = true; isMore; ) {
    const essays = await listReadSince(ctx.db, yesterday(ctx), after, BATCH_SIZE);
    await updateHeat(
      ctx,
      essays.map((essay) => ({ id: essay.id, hot: engagementOf(essay) })),
    );
    isMore = essays.length === BATCH_SIZE;
    after = essays.at(-1)?.id ?? after;
  }
}
