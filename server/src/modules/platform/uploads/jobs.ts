import type { Jobs } from '../../../jobs.ts';
import { expireUploads } from './direct.ts';

export const jobs: Jobs = {
  'expire-uploads': expireUploads,
};
export const schedule = { 'expire-uploads': '35 * * * *' };
