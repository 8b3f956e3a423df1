import { id } from '@mozhan/contract/common.ts';
import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { sendDigests } from './actions.ts';

const payload = z.object({ after: id.optional() });

export const jobs: Jobs = {
  'digest-notices': (ctx, given) => sendDigests(ctx, payload.parse(given).after ?? null),
};
/** Midnight UTC is 8:00 in China. */
export const schedule = { 'digest-notices': '0 0 * * *' };
