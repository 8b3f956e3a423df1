import type { Jobs } from '../../../jobs.ts';
import { removeAbandonedUploads } from './actions/direct-upload.ts';

export const jobs: Jobs = {
  'expire-uploads': removeAbandonedUploads,
};
export const schedule = { 'expire-uploads': '35 * * * *' };
