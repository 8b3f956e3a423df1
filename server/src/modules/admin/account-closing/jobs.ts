import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { closeAccount } from './actions.ts';

const payload = z.object({ userId: z.string() });

export const jobs: Jobs = {
  'close-account': (ctx, input) => closeAccount(ctx, payload.parse(input).userId),
};
