import { type Ctx, inTransaction } from '../../../../ctx.ts';
import {
  analyseEssays,
  copyToHotCopy,
  findHotThreshold,
  removeFromHotCopy,
  replaceTokenShares,
} from '../queries/refresh.ts';
import { addWords, consumeNewWords } from '../queries/words.ts';
import { HOT_COPY_SIZE, HOT_COPY_THRESHOLD } from '../rules/query-plan.ts';
import { spellingKeys } from '../rules/spelling.ts';
import { clearShareCache } from './share-cache.ts';

const SAMPLE_SIZE = 10_000;
/** The sample is too small to estimate rarer tokens. */
const MIN_SHARE = 0.0005;
const BATCH_SIZE = 500;

/** Adds the Latin words of new essays to the vocabulary for spelling correction. */
export async function mergeNewWords(ctx: Ctx): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    count = await inTransaction(ctx, async (ctx) => {
      const lists = await consumeNewWords(ctx.db, BATCH_SIZE);
      const uses = new Map<string, number>();
      for (const word of lists.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
      // A fixed order prevents deadlocks between concurrent runs.
      const words = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
      for (let at = 0; at < words.length; at += BATCH_SIZE) {
        const batch = words.slice(at, at + BATCH_SIZE);
        await addWords(
          ctx.db,
          batch.map(([word, uses]) => ({ word, uses, keys: spellingKeys(word) })),
        );
      }
      return lists.length;
    });
  }
}

export async function refreshSearch(ctx: Ctx): Promise<void> {
  const essays = await analyseEssays(ctx.db);
  const sampled = Math.min(essays, SAMPLE_SIZE);
  const percent = essays === 0 ? 100 : (100 * sampled) / essays;
  const minCount = Math.max(2, Math.ceil(sampled * MIN_SHARE));
  await inTransaction(ctx, (ctx) => replaceTokenShares(ctx.db, { percent, minCount }));
  clearShareCache(ctx.services);
  const threshold = essays < HOT_COPY_THRESHOLD ? null : await findHotThreshold(ctx.db, HOT_COPY_SIZE);
  await removeFromHotCopy(ctx.db, threshold);
  if (threshold === null) return;
  while ((await inTransaction(ctx, (ctx) => copyToHotCopy(ctx.db, threshold, BATCH_SIZE))) > 0);
}
