import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { canSendMail, canSendSms } from '../../../platform/mail-sms/index.ts';
import { findReauthUntil } from '../queries/reauth.ts';
import { isTrustedAddress } from '../rules/users.ts';
import type { Account } from '../tables.ts';

export const hasReauth = async (ctx: Ctx, { sessionId }: Viewer): Promise<boolean> =>
  (await findReauthUntil(ctx.db, sessionId, ctx.now)) !== null;

/** Throws unless the session was re-authenticated recently. Call it again under the account's lock: the session may have ended. */
export async function requireReauth(ctx: Ctx, viewer: Viewer): Promise<void> {
  if (!(await hasReauth(ctx, viewer))) throw new CallError('REAUTH_REQUIRED');
}

/** Returns the verified addresses that are old enough to prove ownership by a code. */
export const getReauthTargets = (ctx: Ctx, account: Account): string[] => {
  const { email, emailVerified, emailAddedAt, phone, phoneAddedAt } = account;
  const hasMail = emailVerified && canSendMail(ctx) && isTrustedAddress(emailAddedAt, ctx.now);
  const hasPhone = canSendSms(ctx) && isTrustedAddress(phoneAddedAt, ctx.now);
  return [hasMail ? email : null, hasPhone ? phone : null].filter((each) => each !== null);
};

export function checkReauthTarget(ctx: Ctx, account: Account, target: string): void {
  if (!getReauthTargets(ctx, account).includes(target))
    throw invalidField('target', '请选择账号里已验证、并且绑定满 24 小时的邮箱或手机号');
}
