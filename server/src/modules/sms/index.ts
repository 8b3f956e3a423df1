import type { Ctx } from '../../ctx.ts';
import { addJob, encryptPayload } from '../../jobs.ts';
import type { Sms } from '../../sms.ts';

export const canText = (ctx: Ctx): boolean => ctx.services.sms !== null;

/** Sends a text message once the transaction has committed; not for long: its code is soon worth nothing. */
export const sendSms = (ctx: Ctx, sms: Sms): Promise<void> =>
  addJob(ctx, 'send-sms', encryptPayload(ctx, 'send-sms', sms), { maxAttempts: 3 });
