import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { forgetOldFiles } from './actions/files.ts';
import { resumeTransfers, runTransfer } from './actions/work.ts';

const run = z.object({ id: z.string() });

export const longJobs: Jobs = {
  'run-transfer': (ctx, payload) => runTransfer(ctx, run.parse(payload).id),
};
export const jobs: Jobs = {
  'resume-transfers': resumeTransfers,
  'forget-transfer-files': forgetOldFiles,
};
export const schedule = { 'resume-transfers': '* * * * *', 'forget-transfer-files': '41 20 * * *' };
