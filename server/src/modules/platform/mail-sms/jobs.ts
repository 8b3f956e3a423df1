import { id } from '@mozhan/contract/common.ts';
import { z } from 'zod';
import { decryptPayload, type Jobs } from '../../../jobs.ts';
import { deliverMail, expireMails } from './actions.ts';

const mail = z.object({
  /** Missing in mails of older versions and of operators' own scripts, which are not in the log. */
  id: id.optional(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
});
const sms = z.object({ to: z.string(), code: z.string() });

/** Without a mailer or SMS sender the job fails and is retried, because another process may have one. */
export const jobs: Jobs = {
  'send-mail': async (ctx, payload) => {
    const { id, ...content } = mail.parse(decryptPayload(ctx, 'send-mail', payload));
    await deliverMail(ctx, id, content);
  },
  'send-sms': async (ctx, payload) => {
    if (ctx.services.sms === null) throw new Error('no SMS sender is configured here');
    await ctx.services.sms.send(sms.parse(decryptPayload(ctx, 'send-sms', payload)));
  },
  'expire-mails': expireMails,
};
/** 3:20 in China. */
export const schedule = { 'expire-mails': '20 19 * * *' };
