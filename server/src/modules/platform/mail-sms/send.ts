import type { Ctx } from '../../../ctx.ts';
import { addJob, addJobs, encryptPayload } from '../../../jobs.ts';
import type { Mail } from './mailer.ts';
import type { Sms } from './sms-sender.ts';

export const canMail = (ctx: Ctx): boolean => ctx.services.mailer !== null;

/** Sends a mail once the transaction has committed, trying again while the mail server is away. */
export const sendMail = (ctx: Ctx, mail: Mail): Promise<void> => sendMails(ctx, [mail]);

/** Sends many mails by one insert of jobs. */
export const sendMails = (ctx: Ctx, mails: Mail[]): Promise<void> =>
  addJobs(
    ctx,
    'send-mail',
    mails.map((mail) => encryptPayload(ctx, 'send-mail', mail)),
    { maxAttempts: 5 },
  );

export const canText = (ctx: Ctx): boolean => ctx.services.sms !== null;

/** Sends a text message once the transaction has committed; few retries, because its code expires soon. */
export const sendSms = (ctx: Ctx, sms: Sms): Promise<void> =>
  addJob(ctx, 'send-sms', encryptPayload(ctx, 'send-sms', sms), { maxAttempts: 3 });
