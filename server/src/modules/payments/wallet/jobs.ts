import type { Jobs } from '../../../jobs.ts';
import { reconcileDaily } from './actions/finance.ts';

export const jobs: Jobs = { reconcile: (ctx) => reconcileDaily(ctx) };
/** 10:30 in China, when the providers' statements of the previous day are available. */
export const schedule = { reconcile: '30 2 * * *' };
