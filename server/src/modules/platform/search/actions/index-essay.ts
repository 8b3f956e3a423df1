import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { removeEssay, updateStats, upsertEssay } from '../queries/essays.ts';
import { insertNewWords } from '../queries/words.ts';
import { normalizeSearchText } from '../rules/normalize.ts';
import { freshnessOf } from '../rules/query-plan.ts';
import { buildIndexEntry, type IndexedText } from '../rules/tokens.ts';
import { getDictionary } from './dictionary.ts';

/** Index an essay in the transaction that shelves or changes it. */
export interface SearchDocument extends IndexedText {
  id: string;
  /** The essay's heat, at least 0. */
  hot: number;
}

/** Smaller changes of `stat` are not written. */
const MIN_STAT_CHANGE = 0.02;

export async function indexEssay(ctx: Ctx, doc: SearchDocument): Promise<void> {
  const dictionary = await getDictionary(ctx);
  const { tokens, impacts, words } = await buildIndexEntry(dictionary, doc);
  const fresh = freshnessOf(doc.publishedAt);
  await inTransaction(ctx, async (ctx) => {
    await upsertEssay(ctx.db, {
      id: doc.id,
      title: doc.title,
      foldedTitle: normalizeSearchText(doc.title),
      fresh,
      stat: fresh + Math.log(1 + Math.max(0, doc.hot)) / 8,
      tokens,
      impacts,
    });
    if (words.length > 0) await insertNewWords(ctx.db, words);
  });
}

export const unindexEssay = (ctx: Ctx, id: string): Promise<void> =>
  inTransaction(ctx, (ctx) => removeEssay(ctx.db, id));

export async function updateHeat(ctx: Ctx, heats: { id: string; hot: number }[]): Promise<void> {
  if (heats.length > 0) await inTransaction(ctx, (ctx) => updateStats(ctx.db, heats, MIN_STAT_CHANGE));
}
