import { id } from '@mozhan/contract/common.ts';
import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { copyBackup } from './actions/copy.ts';
import { maintainBackups, runBackup } from './actions/run.ts';

const payload = z.object({ id });

export const longJobs: Jobs = {
  'make-backup': (ctx, input) => runBackup(ctx, payload.parse(input).id),
  'copy-backup': (ctx, input) => copyBackup(ctx, payload.parse(input).id),
};
export const jobs: Jobs = {
  'tend-backups': (ctx) => maintainBackups(ctx),
};
export const schedule = { 'tend-backups': '* * * * *' };
