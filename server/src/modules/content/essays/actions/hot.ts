import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import * as queries from '../queries/hot.ts';
import { recentDays } from '../rules/hot.ts';

const BATCH_SIZE = 500;
const MIN_ID = '0'.repeat(32);

/**
 * Every interaction updates the score of its essay at once; this job removes the days that are no longer recent. With
 * `all` it applies changed settings to all essays.
 */
export async function rankEssays(ctx: Ctx, { all }: { all: boolean }): Promise<void> {
  const settings = await getSiteSettings(ctx);
  const days = recentDays(ctx.now);
  const since = days.at(-1) ?? '';
  for (let after = MIN_ID, isMore = true; isMore; ) {
    const ids = all
      ? await queries.listPublishedIds(ctx.db, after, BATCH_SIZE)
      : await queries.listRecentIds(ctx.db, days, after, BATCH_SIZE);
    if (ids.length > 0)
      await inTransaction(ctx, async (ctx) => {
        if ((await queries.updateHotScores(ctx.db, ids, since, settings)) > 0) invalidate(ctx, 'essays');
      });
    isMore = ids.length === BATCH_SIZE;
    after = ids.at(-1) ?? after;
  }
}

/** Called in the transaction that changes the settings of the hot list. */
export const queueRanking = (ctx: Ctx): Promise<void> =>
  addJob(ctx, 'rank-essays', { all: true }, { key: 'rank-all-essays' });
