import { createHmac } from 'node:crypto';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { isbot } from 'isbot';
import { type Ctx, inTx, type Services } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { systemCtx } from '../../../../jobs.ts';
import { recordTrends } from '../../../accounts/activity/index.ts';
import { updateHeat } from '../../../platform/search/index.ts';
import { addToEssays } from '../queries/counters.ts';
import { insertReads, listReadSince, type Read, removeOldReads, upsertHistory } from '../queries/reads.ts';
import { noEssay, warmth } from '../rules/essays.ts';

interface Waiting extends Read {
  settle: (counted: boolean | null) => void;
  fail: (error: unknown) => void;
}

/** Reads that arrive within this time are written together, and answered when they are written. */
const GATHER_MS = 100;
const buffers = new WeakMap<Services, Waiting[]>();

/** The same for one person all day, and of no use to know them by. */
export const readerOf = (ctx: Ctx): Buffer =>
  createHmac('sha256', ctx.services.secret)
    .update(ctx.viewer === null ? `${ctx.asker.address}\n${ctx.asker.userAgent}` : ctx.viewer.id)
    .digest()
    .subarray(0, 16);

export const isRobot = ({ asker }: Ctx): boolean => asker.userAgent === '' || isbot(asker.userAgent);

/**
 * Counts one reader of an essay once a day, never a robot, and remembers how far a signed-in reader came. Inside a
 * transaction it is that one's: waiting for another would take two connections.
 */
export async function countRead(ctx: Ctx, essayId: string, progress: number | undefined): Promise<boolean> {
  if (isRobot(ctx)) return false;
  const read: Read = {
    essayId,
    reader: readerOf(ctx),
    userId: ctx.viewer?.id ?? null,
    progress: progress ?? null,
  };
  const counted = await (ctx.effects === null ? gather(ctx, read) : writeOne(ctx, read));
  if (counted === null) throw noEssay();
  return counted;
}

function gather({ services }: Ctx, read: Read): Promise<boolean | null> {
  return new Promise((settle, fail) => {
    const waiting = buffers.get(services);
    const entry = { ...read, settle, fail };
    if (waiting !== undefined) {
      waiting.push(entry);
      return;
    }
    buffers.set(services, [entry]);
    setTimeout(() => void flush(services), GATHER_MS);
  });
}

async function writeOne(ctx: Ctx, read: Read): Promise<boolean | null> {
  const { known, counted } = await writeReads(ctx, [read]);
  return known.has(read.essayId) ? counted.size > 0 : null;
}

async function flush(services: Services): Promise<void> {
  const waiting = buffers.get(services) ?? [];
  buffers.delete(services);
  try {
    const { known, counted } = await inTx(systemCtx(services), (ctx) => writeReads(ctx, waiting));
    for (const each of waiting) {
      const key = `${each.essayId}:${each.reader.toString('hex')}`;
      // One of several that arrived together is the one that counted.
      each.settle(known.has(each.essayId) ? counted.delete(key) : null);
    }
  } catch (error) {
    for (const each of waiting) each.fail(error);
  }
}

async function writeReads(ctx: Ctx, reads: Read[]): Promise<{ known: Set<string>; counted: Set<string> }> {
  const { known, counted } = await insertReads(ctx.db, dayOf(ctx.now), reads);
  const sums = Map.groupBy(counted, (each) => each.essayId);
  await addToEssays(
    ctx,
    [...sums].map(([essayId, readers]) => ({ essayId, reads: readers.length })),
  );
  const signedIn = reads
    .filter((read) => known.has(read.essayId))
    .flatMap(({ userId, ...read }) => (userId === null ? [] : [{ ...read, userId }]));
  // Of several words of one reader about one essay, the last.
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
const yesterday = (ctx: Ctx): string => dayOf(new Date(ctx.now.getTime() - DAY_MS));

/** A reader is known again on the same day only. */
export const forgetReads = (ctx: Ctx): Promise<void> => removeOldReads(ctx.db, yesterday(ctx));

const AT_A_TIME = 500;
const FIRST = '0'.repeat(32);

/** What is read much is found first: told to the search from time to time, not at every read. */
export async function refreshHeat(ctx: Ctx): Promise<void> {
  for (let after = FIRST, isMore = true; isMore; ) {
    const essays = await listReadSince(ctx.db, yesterday(ctx), after, AT_A_TIME);
    await updateHeat(
      ctx,
      essays.map((essay) => ({ id: essay.id, hot: warmth(essay) })),
    );
    isMore = essays.length === AT_A_TIME;
    after = essays.at(-1)?.id ?? after;
  }
}
