import { z } from 'zod';
import { decryptPayload, type Jobs } from '../../jobs.ts';

const mail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string().optional() });

export const jobs: Jobs = {
  'send-mail': async (ctx, payload) => {
    // Another process may have one: this attempt fails, the mail waits.
    if (ctx.services.mailer === null) throw new Error('no mail server is configured here');
    await ctx.services.mailer.send(mail.parse(decryptPayload(ctx, 'send-mail', payload)));
  },
};
