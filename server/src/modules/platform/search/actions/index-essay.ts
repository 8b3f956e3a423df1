import { type Ctx, inTx } from '../../../../ctx.ts';
import { removeEssay, updateStats, upsertEssay } from '../queries/essays.ts';
import { insertNewWords } from '../queries/words.ts';
import { fold } from '../rules/fold.ts';
import { freshness } from '../rules/plan.ts';
import { loadDictionary } from '../rules/segment.ts';
import { readEntry } from '../rules/tokens.ts';

/** What is found by words; written in the transaction that shelves, changes or removes it. */
export interface SearchDoc {
  id: string;
  title: string;
  tags: string[];
  /** Display name. */
  author: string;
  categoryId: string;
  /** Only what everybody may read: that a word is found tells that it is there. */
  text: string;
  publishedAt: Date;
  /** How much it is read and liked, from 0. */
  hot: number;
}

/** Changes of standing that nobody would notice are not written. */
const LEAST_CHANGE = 0.02;

export async function indexEssay(ctx: Ctx, doc: SearchDoc): Promise<void> {
  const dictionary = await loadDictionary();
  const { tokens, impacts, latin } = await readEntry(dictionary, doc);
  const fresh = freshness(doc.publishedAt);
  await inTx(ctx, async (ctx) => {
    await upsertEssay(ctx.db, {
      id: doc.id,
      title: doc.title,
      foldedTitle: fold(doc.title),
      fresh,
      stat: fresh + Math.log(1 + Math.max(0, doc.hot)) / 8,
      tokens,
      impacts,
    });
    if (latin.length > 0) await insertNewWords(ctx.db, latin);
  });
}

export const unindexEssay = (ctx: Ctx, id: string): Promise<void> =>
  inTx(ctx, (ctx) => removeEssay(ctx.db, id));

export async function updateHeat(ctx: Ctx, heats: { id: string; hot: number }[]): Promise<void> {
  if (heats.length > 0) await inTx(ctx, (ctx) => updateStats(ctx.db, heats, LEAST_CHANGE));
}
