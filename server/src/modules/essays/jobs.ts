import { z } from 'zod';
import type { Jobs } from '../../jobs.ts';
import { forgetReads, refreshHeat } from './actions/reads.ts';
import { shelveScheduled } from './actions/status.ts';

export const jobs: Jobs = {
  'shelve-essay': (ctx, payload) => shelveScheduled(ctx, z.object({ id: z.string() }).parse(payload).id),
  'refresh-heat': refreshHeat,
  'forget-reads': forgetReads,
};
export const schedule = { 'refresh-heat': '41 * * * *', 'forget-reads': '17 20 * * *' };
