import type { Ctx } from '../../../ctx.ts';
import { addJob, addJobs, encryptPayload } from '../../../jobs.ts';
import type { Mail } from './mailer.ts';
import type { Sms } from './sms-sender.ts';

export const canSendMail = (ctx: Ctx): boolean => ctx.services.mailer !== null;

/** Sends a mail after the transaction commits, with retries. */
export const sendMail = (ctx: Ctx, mail: Mail): Promise<void> => sendMails(ctx, [mail]);

export const sendMails = (ctx: Ctx, mails: Mail[]): Promise<void> =>
  addJobs(
    ctx,
    'send-mail',
    mails.map((mail) => encryptPayload(ctx, 'send-mail', mail)),
    { maxAttempts: 5 },
  );

export const canSendSms = (ctx: Ctx): boolean => ctx.services.sms !== null;

/** Sends a text message after the transaction commits; few retries, because the code expires soon. */
export const sendSms = (ctx: Ctx, sms: Sms): Promise<void> =>
  addJob(ctx, 'send-sms', encryptPayload(ctx, 'send-sms', sms), { maxAttempts: 3 });
