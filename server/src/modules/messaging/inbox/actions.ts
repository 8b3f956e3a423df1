import { type Ctx, inTx } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { endDigest } from '../../accounts/users/index.ts';
import { canMail, sendMails } from '../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { listReaders, lockWaiting } from './queries.ts';
import { toDigest } from './views.ts';

/** People looked at in one transaction. */
const BATCH = 200;

/**
 * Mails what people have not read, some of them at a time: with the mails it is noted how far they go, so that nobody is
 * told the same twice, and the next job goes on behind the last of them.
 */
export async function sendDigests(ctx: Ctx, after: string | null): Promise<void> {
  if (!canMail(ctx)) return;
  const { title } = await getSiteSettings(ctx);
  const { siteUrl } = ctx.services.config;
  await inTx(ctx, async (ctx) => {
    const userIds = await lockWaiting(ctx.db, after, BATCH);
    const readers = await listReaders(ctx.db, userIds);
    await sendMails(
      ctx,
      readers.map((reader) => toDigest(reader, { title, siteUrl })),
    );
    await endDigest(ctx.db, userIds);
    if (userIds.length === BATCH) await addJob(ctx, 'digest-notices', { after: userIds.at(-1) });
  });
}
