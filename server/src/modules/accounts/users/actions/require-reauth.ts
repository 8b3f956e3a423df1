import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { canMail, canText } from '../../../platform/mail-sms/index.ts';
import { findReauth } from '../queries/reauth.ts';
import { isTrustedAddress } from '../rules/users.ts';
import type { Account } from '../tables.ts';

export const hasReauth = async (ctx: Ctx, { sessionId }: Viewer): Promise<boolean> =>
  (await findReauth(ctx.db, sessionId, ctx.now)) !== null;

/**
 * Refuses unless this session has shown within the last minutes, by more than its token, who holds it. Call it again
 * under the account's lock: the session may have been ended meanwhile.
 */
export async function requireReauth(ctx: Ctx, viewer: Viewer): Promise<void> {
  if (!(await hasReauth(ctx, viewer))) throw new CallError('REAUTH_REQUIRED');
}

/** The addresses of an account to which a code proves the owner: verified ones that were not added just now. */
export const reauthTargetsOf = (ctx: Ctx, account: Account): string[] => {
  const { email, emailVerified, emailAddedAt, phone, phoneAddedAt } = account;
  const hasMail = emailVerified && canMail(ctx) && isTrustedAddress(emailAddedAt, ctx.now);
  const hasPhone = canText(ctx) && isTrustedAddress(phoneAddedAt, ctx.now);
  return [hasMail ? email : null, hasPhone ? phone : null].filter((each) => each !== null);
};

export function checkReauthTarget(ctx: Ctx, account: Account, target: string): void {
  if (!reauthTargetsOf(ctx, account).includes(target))
    throw invalid('target', '请选择账号里已验证、并且绑定满 24 小时的邮箱或手机号');
}
