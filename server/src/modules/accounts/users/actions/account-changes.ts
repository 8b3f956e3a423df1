import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { canMail, sendMail } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { hasUndone, insertChange } from '../queries/account-changes.ts';
import { isTrustedAddress, UNDO_LIFE, UNDONE_LOCK } from '../rules/users.ts';
import { digest, newToken } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { toChangeMail, toChangeSentence } from '../views/users.ts';
import { notify } from './notices.ts';

const PAGE = '/login.html?mode=not-me';

/** A change that the owner has just undone is not made again at once. */
export async function requireUnlocked(ctx: Ctx, userId: string, kind: ChangeKind): Promise<void> {
  if (await hasUndone(ctx.db, userId, kind, new Date(ctx.now.getTime() - UNDONE_LOCK)))
    throw new CallError('CHANGE_LOCKED');
}

interface Change {
  kind: ChangeKind;
  /** The new e-mail or phone, or the name of the token. */
  value?: string;
}

/**
 * Notes a change of what signs an account in and tells the owner, on the site and at the e-mail they had before it, how
 * to undo it. `before` is the account as it was, under lock. The SMS template has room for a code only, so a phone is
 * told nothing.
 */
export async function recordChange(ctx: Ctx, before: Account, { kind, value = '' }: Change): Promise<void> {
  const { userId, email, emailVerified } = before;
  const id = newId();
  const token = newToken();
  const { device, region } = ctx.asker;
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
    hash: digest(token),
    newValue: value,
    device,
    region,
    createdAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + UNDO_LIFE),
  });
  const sentence = toChangeSentence(kind, value);
  await notify(ctx, {
    userId,
    kind: 'system',
    text: `你的账号${sentence}。如果不是你本人操作，请马上撤销。`,
    target: { id, title: '', url: `${PAGE}&id=${id}` },
  });
  // An address that nobody has shown to be the owner's may be a stranger's: it gets no link.
  if (email === null || !emailVerified || !canMail(ctx)) return;
  const { title } = await getSiteSettings(ctx);
  const { siteUrl, basePath } = ctx.services.config;
  const path = `${PAGE}#${token}`;
  // Whoever added it a moment ago may be the thief, and the change the owner's repair.
  const isTrusted = isTrustedAddress(before.emailAddedAt, ctx.now);
  await sendMail(ctx, {
    to: email,
    ...toChangeMail({
      title,
      sentence,
      device,
      region,
      now: ctx.now,
      link: !isTrusted ? null : siteUrl === null ? { path: basePath + path } : { url: siteUrl + path },
    }),
  });
}
