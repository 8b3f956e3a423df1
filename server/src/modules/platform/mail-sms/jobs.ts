import { z } from 'zod';
import { decryptPayload, type Jobs } from '../../../jobs.ts';

const mail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string().optional() });
const sms = z.object({ to: z.string(), code: z.string() });

/** Without a mailer or SMS sender the job fails and is retried, because another process may have one. */
export const jobs: Jobs = {
  'send-mail': async (ctx, payload) => {
    if (ctx.services.mailer === null) throw new Error('no mail server is configured here');
    await ctx.services.mailer.send(mail.parse(decryptPayload(ctx, 'send-mail', payload)));
  },
  'send-sms': async (ctx, payload) => {
    if (ctx.services.sms === null) throw new Error('no SMS sender is configured here');
    await ctx.services.sms.send(sms.parse(decryptPayload(ctx, 'send-sms', payload)));
  },
};
