import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { canSendMail, sendMail } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { hasUndoneChange, insertChange } from '../queries/account-changes.ts';
import { isTrustedAddress, UNDO_LIFETIME, UNDONE_CHANGE_LOCK } from '../rules/users.ts';
import { hashToken, newToken } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { toChangeMail } from '../views/mails.ts';
import { toChangeDescription } from '../views/users.ts';
import { notify } from './notices.ts';

const UNDO_PAGE = '/login.html?mode=not-me';

/** Throws when the owner has undone a change of this kind within a day. */
export async function requireChangeUnlocked(ctx: Ctx, userId: string, kind: ChangeKind): Promise<void> {
  if (await hasUndoneChange(ctx.db, userId, kind, new Date(ctx.now.getTime() - UNDONE_CHANGE_LOCK)))
    throw new CallError('CHANGE_LOCKED');
}

interface Change {
  kind: ChangeKind;
  /** The new e-mail or phone, or the name of the token. */
  value?: string;
}

/**
 * Records a change of credentials and sends the owner an undo link, as a notice and to the e-mail from before the change.
 * `before` is the locked account before the change. Phones get nothing, since the SMS template holds only a code.
 */
export async function recordAccountChange(
  ctx: Ctx,
  before: Account,
  { kind, value = '' }: Change,
): Promise<void> {
  const { userId, email, emailVerified } = before;
  const id = newId();
  const token = newToken();
  const { device, region } = ctx.requester;
  const old =
    kind === 'email'
      ? { oldValue: email, oldVerified: emailVerified, oldAddedAt: before.emailAddedAt }
      : kind === 'phone'
        ? { oldValue: before.phone, oldVerified: before.phone !== null, oldAddedAt: before.phoneAddedAt }
        : { oldVerified: false };
  await insertChange(ctx.db, {
    ...old,
    id,
    userId,
    kind,
    sessionId: ctx.viewer?.id === userId ? ctx.viewer.sessionId : null,
    hash: hashToken(token),
    newValue: value,
    device,
    region,
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + UNDO_LIFETIME),
  });
  const description = toChangeDescription(kind, value);
  await notify(ctx, {
    userId,
    kind: 'system',
    text: `你的账号${description}。如果不是你本人操作，请马上撤销。`,
    target: { id, title: '', url: `${UNDO_PAGE}&id=${id}` },
  });
  // An unverified address may belong to a stranger.
  if (email === null || !emailVerified || !canSendMail(ctx)) return;
  const { title } = await getSiteSettings(ctx);
  const { siteUrl, basePath } = ctx.services.config;
  const path = `${UNDO_PAGE}#${token}`;
  // A thief may have just added the address, and this change may be the owner's repair.
  const isTrusted = isTrustedAddress(before.emailAddedAt, ctx.now);
  await sendMail(ctx, {
    kind: 'account-change',
    to: email,
    ...toChangeMail({
      title,
      description,
      device,
      region,
      now: ctx.now,
      link: !isTrusted ? null : siteUrl === null ? { path: basePath + path } : { url: siteUrl + path },
    }),
  });
}
