import type { Ctx } from '../../ctx.ts';
import { addJob, addJobs, encryptPayload } from '../../jobs.ts';
import type { Mail } from '../../mailer.ts';

export const canMail = (ctx: Ctx): boolean => ctx.services.mailer !== null;

/** Sends a mail once the transaction has committed, trying again while the mail server is away. */
export const sendMail = (ctx: Ctx, mail: Mail): Promise<void> =>
  addJob(ctx, 'send-mail', encryptPayload(ctx, 'send-mail', mail), { maxAttempts: 5 });

/** Likewise many at once. */
export const sendMails = (ctx: Ctx, mails: Mail[]): Promise<void> =>
  addJobs(
    ctx,
    'send-mail',
    mails.map((mail) => encryptPayload(ctx, 'send-mail', mail)),
    { maxAttempts: 5 },
  );
