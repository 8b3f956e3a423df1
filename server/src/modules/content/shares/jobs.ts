import { chinaDayOf } from '../../../day.ts';
import type { Jobs } from '../../../jobs.ts';
import { removeOldVisits } from './queries.ts';

const TWO_DAYS = 2 * 86_400_000;

export const jobs: Jobs = {
  'forget-share-reads': (ctx) => removeOldVisits(ctx.db, chinaDayOf(new Date(ctx.now.getTime() - TWO_DAYS))),
};
export const schedule = { 'forget-share-reads': '37 20 * * *' };
