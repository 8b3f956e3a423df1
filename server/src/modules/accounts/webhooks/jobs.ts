import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { deliverDue, forgetDeliveries, wakeDue } from './actions/deliver.ts';

const one = z.object({ id: z.string() });

export const jobs: Jobs = {
  'deliver-webhooks': (ctx, payload) => deliverDue(ctx, one.parse(payload).id),
  'wake-webhooks': wakeDue,
  'forget-webhooks': forgetDeliveries,
};
export const schedule = { 'wake-webhooks': '* * * * *', 'forget-webhooks': '40 3 * * *' };
