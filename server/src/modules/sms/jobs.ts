import { z } from 'zod';
import { decryptPayload, type Jobs } from '../../jobs.ts';

const sms = z.object({ to: z.string(), code: z.string() });

export const jobs: Jobs = {
  'send-sms': async (ctx, payload) => {
    // Another process may have one: this attempt fails, the message waits.
    if (ctx.services.sms === null) throw new Error('no sender of text messages is configured here');
    await ctx.services.sms.send(sms.parse(decryptPayload(ctx, 'send-sms', payload)));
  },
};
