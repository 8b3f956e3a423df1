import type { Ctx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { addJob, addJobs, encryptPayload } from '../../../jobs.ts';
import { getSiteSettings } from '../settings/index.ts';
import { insertMails } from './queries.ts';
import type { Sms } from './sms-sender.ts';
import { type Mail, type MailSite, renderMail } from './template.ts';

/** A server that is down for some minutes loses no mail. */
export const MAX_ATTEMPTS = 5;

export const canSendMail = (ctx: Ctx): boolean => ctx.services.mailer !== null;

export const jobKeyOf = (mailId: string): string => `send-mail ${mailId}`;

export async function getMailSite(ctx: Ctx): Promise<MailSite> {
  const { title, colorPrimary } = await getSiteSettings(ctx);
  return { title, colorPrimary, siteUrl: ctx.services.config.siteUrl };
}

/** Sends a mail after the transaction commits, with retries; returns its id in the log. */
export async function sendMail(ctx: Ctx, mail: Mail): Promise<string> {
  const [id = ''] = await sendMails(ctx, [mail]);
  return id;
}

export async function sendMails(ctx: Ctx, list: readonly Mail[]): Promise<string[]> {
  if (list.length === 0) return [];
  const site = await getMailSite(ctx);
  const rows = list.map(({ kind, to }) => ({
    id: newId(),
    kind,
    address: to.toLowerCase(),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }));
  const ids = rows.map(({ id }) => id);
  await insertMails(ctx.db, rows);
  await addJobs(
    ctx,
    'send-mail',
    list.map((mail, index) =>
      encryptPayload(ctx, 'send-mail', { id: ids[index], to: mail.to, ...renderMail(mail, site) }),
    ),
    { maxAttempts: MAX_ATTEMPTS, keys: ids.map(jobKeyOf) },
  );
  return ids;
}

export const canSendSms = (ctx: Ctx): boolean => ctx.services.sms !== null;

/** Sends a text message after the transaction commits; few retries, because the code expires soon. */
export const sendSms = (ctx: Ctx, sms: Sms): Promise<void> =>
  addJob(ctx, 'send-sms', encryptPayload(ctx, 'send-sms', sms), { maxAttempts: 3 });
