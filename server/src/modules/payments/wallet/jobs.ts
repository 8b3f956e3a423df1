import type { Jobs } from '../../../jobs.ts';
import { reconcileDaily } from './actions/finance.ts';

export const jobs: Jobs = { reconcile: (ctx) => reconcileDaily(ctx) };
/** Half past ten in China, when providers have made their statements of the day before. */
export const schedule = { reconcile: '30 2 * * *' };
