import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { closeAccount } from './actions.ts';

const payload = z.object({ userId: z.string() });

export const jobs: Jobs = {
  'close-account': (ctx, given) => closeAccount(ctx, payload.parse(given).userId),
};
