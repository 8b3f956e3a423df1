import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { deliverDue, removeExpiredDeliveries, scheduleDueDeliveries } from './actions/deliver.ts';

const payloadSchema = z.object({ id: z.string() });

export const jobs: Jobs = {
  'deliver-webhooks': (ctx, payload) => deliverDue(ctx, payloadSchema.parse(payload).id),
  'wake-webhooks': scheduleDueDeliveries,
  'forget-webhooks': removeExpiredDeliveries,
};
export const schedule = { 'wake-webhooks': '* * * * *', 'forget-webhooks': '40 3 * * *' };
