import { type Ctx, inTx } from '../../../../ctx.ts';
import { analyseEssays, copyHot, findLeastHot, removeCold, replaceShares } from '../queries/refresh.ts';
import { addWords, takeNewWords } from '../queries/words.ts';
import { HOT, HOT_FROM } from '../rules/plan.ts';
import { spellingKeys } from '../rules/spelling.ts';
import { forgetShares } from './known-shares.ts';

const SAMPLE = 10_000;
/** Rarer ones are too few in the sample to say how rare. */
const LEAST_SHARE = 0.0005;
const AT_A_TIME = 500;

/** Puts the words of new essays where typing errors are looked up. */
export async function foldNewWords(ctx: Ctx): Promise<void> {
  for (let taken = AT_A_TIME; taken === AT_A_TIME; ) {
    taken = await inTx(ctx, async (ctx) => {
      const lists = await takeNewWords(ctx.db, AT_A_TIME);
      const uses = new Map<string, number>();
      for (const word of lists.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
      // In one order, so that two who do this at once do not wait for each other.
      const words = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
      for (let at = 0; at < words.length; at += AT_A_TIME) {
        const some = words.slice(at, at + AT_A_TIME);
        await addWords(
          ctx.db,
          some.map(([word, uses]) => ({ word, uses, keys: spellingKeys(word) })),
        );
      }
      return lists.length;
    });
  }
}

/** Counts anew how common words are, and chooses anew which essays are kept twice. */
export async function refreshSearch(ctx: Ctx): Promise<void> {
  const essays = await analyseEssays(ctx.db);
  const sampled = Math.min(essays, SAMPLE);
  const percent = essays === 0 ? 100 : (100 * sampled) / essays;
  const least = Math.max(2, Math.ceil(sampled * LEAST_SHARE));
  await inTx(ctx, (ctx) => replaceShares(ctx.db, { percent, least }));
  forgetShares(ctx.services);
  const lowest = essays < HOT_FROM ? null : await findLeastHot(ctx.db, HOT);
  await removeCold(ctx.db, lowest);
  if (lowest === null) return;
  while ((await inTx(ctx, (ctx) => copyHot(ctx.db, lowest, AT_A_TIME))) > 0);
}
