import type { Jobs } from '../../../jobs.ts';
import { countDays, rankTops } from './actions.ts';
import type { DayRange } from './rules.ts';

export const jobs: Jobs = {
  'count-days': countDays,
  'rank-tops': (ctx, payload) => rankTops(ctx, payload as DayRange),
};
/** Viewing the statistics starts the job more often. */
export const schedule = { 'count-days': '*/10 * * * *' };
