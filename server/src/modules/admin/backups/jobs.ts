import { id } from '@mozhan/contract/common.ts';
import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { makeBackup, tendBackups } from './actions/make.ts';

const payload = z.object({ id });

export const longJobs: Jobs = {
  'make-backup': (ctx, given) => makeBackup(ctx, payload.parse(given).id),
};
export const jobs: Jobs = {
  'tend-backups': (ctx) => tendBackups(ctx),
};
export const schedule = { 'tend-backups': '* * * * *' };
