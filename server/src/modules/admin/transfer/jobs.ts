import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { fetchRemotePictures, resumePictures } from './actions/fetch-pictures.ts';
import { removeOldFiles } from './actions/files.ts';
import { resumeTransfers, runTransfer } from './actions/run-transfer.ts';

const run = z.object({ id: z.string() });

export const longJobs: Jobs = {
  'run-transfer': (ctx, payload) => runTransfer(ctx, run.parse(payload).id),
  'fetch-remote-pictures': fetchRemotePictures,
};
export const jobs: Jobs = {
  'resume-transfers': resumeTransfers,
  'resume-remote-pictures': resumePictures,
  'forget-transfer-files': removeOldFiles,
};
export const schedule = {
  'resume-transfers': '* * * * *',
  'resume-remote-pictures': '* * * * *',
  'forget-transfer-files': '41 20 * * *',
};
