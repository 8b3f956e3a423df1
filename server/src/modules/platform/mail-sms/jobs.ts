import { z } from 'zod';
import { decryptPayload, type Jobs } from '../../../jobs.ts';

const mail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string().optional() });
const sms = z.object({ to: z.string(), code: z.string() });

/** Without a mailer or sender the job fails and is retried: another process may have one. */
export const jobs: Jobs = {
  'send-mail': async (ctx, payload) => {
    if (ctx.services.mailer === null) throw new Error('no mail server is configured here');
    await ctx.services.mailer.send(mail.parse(decryptPayload(ctx, 'send-mail', payload)));
  },
  'send-sms': async (ctx, payload) => {
    if (ctx.services.sms === null) throw new Error('no sender of text messages is configured here');
    await ctx.services.sms.send(sms.parse(decryptPayload(ctx, 'send-sms', payload)));
  },
};
