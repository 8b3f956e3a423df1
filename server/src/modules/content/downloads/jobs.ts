import { chinaDayOf } from '../../../day.ts';
import type { Jobs } from '../../../jobs.ts';
import { removeOldDownloads } from './queries.ts';

const TWO_DAYS = 2 * 86_400_000;

export const jobs: Jobs = {
  'forget-downloads': (ctx) => removeOldDownloads(ctx.db, chinaDayOf(new Date(ctx.now.getTime() - TWO_DAYS))),
};
export const schedule = { 'forget-downloads': '27 20 * * *' };
