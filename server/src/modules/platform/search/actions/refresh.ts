import { type Ctx, inTransaction } from '../../../../ctx.ts';
import {
  analyseEssays,
  copyToHotCopy,
  findHotThreshold,
  removeFromHotCopy,
  replaceTokenShares,
} from '../queries/refresh.ts';
import { addWords, consumeNewWords, listUnknownWords } from '../queries/words.ts';
import { loadReadings } from '../rules/pinyin.ts';
import { HOT_COPY_SIZE, HOT_COPY_THRESHOLD } from '../rules/query-plan.ts';
import { isHan } from '../rules/segment.ts';
import { chineseKeys, spellingKeys } from '../rules/spelling.ts';
import { clearShareCache } from './share-cache.ts';

const SAMPLE_SIZE = 5000;
/** The sample is too small to estimate rarer tokens. */
const MIN_SHARE = 0.0005;
const BATCH_SIZE = 500;
/** Counting the words of more essays at once would block the event loop. */
const ESSAYS_PER_MERGE = 20;

/** Counts Latin words; a Chinese word is stored once, because common ones are in every essay. */
async function addToVocabulary(ctx: Ctx, uses: Map<string, number>): Promise<void> {
  // A fixed order prevents deadlocks between concurrent runs.
  const words = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
  const readings = await loadReadings();
  for (let at = 0; at < words.length; at += BATCH_SIZE) {
    const batch = words.slice(at, at + BATCH_SIZE);
    const [chinese = [], latin = []] = [true, false].map((wanted) =>
      batch.filter(([word]) => isHan(word.charCodeAt(0)) === wanted),
    );
    const unknown = new Set(
      chinese.length === 0
        ? []
        : await listUnknownWords(
            ctx.db,
            chinese.map(([word]) => word),
          ),
    );
    const rows = [
      ...latin.map(([word, uses]) => ({ word, uses, keys: spellingKeys(word) })),
      ...chinese
        .filter(([word]) => unknown.has(word))
        .map(([word, uses]) => ({ word, uses, keys: chineseKeys(readings, word) })),
    ];
    if (rows.length > 0) await addWords(ctx.db, rows);
  }
}

/** Adds the words of new essays to the vocabulary for corrections and pinyin. */
export async function mergeNewWords(ctx: Ctx): Promise<void> {
  for (let count = ESSAYS_PER_MERGE; count === ESSAYS_PER_MERGE; ) {
    count = await inTransaction(ctx, async (ctx) => {
      const lists = await consumeNewWords(ctx.db, ESSAYS_PER_MERGE);
      const uses = new Map<string, number>();
      for (const word of lists.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
      await addToVocabulary(ctx, uses);
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
