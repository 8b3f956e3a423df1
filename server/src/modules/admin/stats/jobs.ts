import type { Jobs } from '../../../jobs.ts';
import { countDays, rankTops } from './actions.ts';
import type { Range } from './rules.ts';

export const jobs: Jobs = {
  'count-days': countDays,
  'rank-tops': (ctx, payload) => rankTops(ctx, payload as Range),
};
/** Whoever looks has it counted more often. */
export const schedule = { 'count-days': '*/10 * * * *' };
