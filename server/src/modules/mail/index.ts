import type { Ctx } from '../../ctx.ts';
import { addJob } from '../../jobs.ts';
import type { Mail } from '../../mailer.ts';

export const canMail = (ctx: Ctx): boolean => ctx.services.mailer !== null;

/** Sends a mail once the transaction has committed, trying again while the mail server is away. */
export const sendMail = (ctx: Ctx, mail: Mail): Promise<void> =>
  addJob(ctx, 'send-mail', mail, { maxAttempts: 5 });
