import { type Ctx, inTransaction } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { markDigestSent } from '../../accounts/users/index.ts';
import { canSendMail, sendMails } from '../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { listDigestRecipients, lockDueInboxes } from './queries.ts';
import { toDigest } from './views.ts';

const BATCH_SIZE = 200;

/**
 * Mails unread notices to one batch of users and adds a job for the next batch. The transaction that adds the mails also
 * records the position that they cover, so no notice is mailed twice.
 */
export async function sendDigests(ctx: Ctx, after: string | null): Promise<void> {
  if (!canSendMail(ctx)) return;
  const { title } = await getSiteSettings(ctx);
  const { siteUrl } = ctx.services.config;
  await inTransaction(ctx, async (ctx) => {
    const userIds = await lockDueInboxes(ctx.db, after, BATCH_SIZE);
    const readers = await listDigestRecipients(ctx.db, userIds);
    await sendMails(
      ctx,
      readers.map((reader) => toDigest(reader, { title, siteUrl })),
    );
    await markDigestSent(ctx.db, userIds);
    if (userIds.length === BATCH_SIZE) await addJob(ctx, 'digest-notices', { after: userIds.at(-1) });
  });
}
