import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { canSendMail, canSendSms } from '../../../platform/mail-sms/index.ts';
import { removeChanges } from '../queries/account-changes.ts';
import * as queries from '../queries/accounts.ts';
import { checkNewPassword, isTrustedAddress } from '../rules/users.ts';
import { hashPassword, newPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordAccountChange } from './account-changes.ts';
import { getCodeChannel, requestCode, toCodeTarget, verifyCode } from './codes.ts';
import { notify } from './notices.ts';
import { checkOwnPassword, clearSignInFailures, createOwnPasswordError } from './own-password.ts';
import { findUserWithAccount } from './sessions.ts';
import { clearTotpAttempts, countSignInFailure } from './sign-in-limits.ts';
import { withFailureLog } from './sign-in-log.ts';
import { revokeAccess } from './tokens.ts';

type PasswordChange = z.output<typeof calls.changePassword.input>;

export const changePassword = (ctx: Ctx, viewer: Viewer, input: PasswordChange): Promise<void> =>
  withFailureLog(ctx, 'change', viewer.account, () => replacePassword(ctx, viewer, input));

async function replacePassword(
  ctx: Ctx,
  viewer: Viewer,
  { oldPassword, newPassword, challenge }: PasswordChange,
): Promise<void> {
  const account = await queries.getAccount(ctx.db, viewer.id);
  const wrong = createOwnPasswordError('oldPassword', '原密码不对');
  await checkOwnPassword(ctx, account, { password: oldPassword, challenge }, wrong);
  await clearSignInFailures(ctx, account);
  checkNewPassword(newPassword, account.name, 'newPassword');
  if (oldPassword === newPassword) {
    throw new CallError('INVALID', {
      message: '新密码不能和原密码一样',
      fields: { newPassword: '新密码不能和原密码一样' },
    });
  }
  const passwordHash = await hashPassword(ctx, newPassword);
  await inTransaction(ctx, async (ctx) => {
    // A concurrent change may have replaced the old password meanwhile.
    const current = await queries.lockAccount(ctx.db, viewer.id);
    if (current.passwordHash !== account.passwordHash) throw wrong;
    await queries.updateAccount(ctx.db, viewer.id, {
      passwordHash,
      mustChangePassword: false,
      updatedAt: ctx.now,
    });
    await revokeAccess(ctx, viewer.id, viewer.sessionId);
    await recordAccountChange(ctx, current, { kind: 'password' });
  });
}

export async function requestPasswordReset(
  ctx: Ctx,
  input: z.output<typeof calls.requestPasswordReset.input>,
): Promise<void> {
  const way = getCodeChannel(ctx, input.account);
  if (way === 'mail' && !canSendMail(ctx))
    throw canSendSms(ctx)
      ? new CallError('MAIL_NOT_CONFIGURED', { message: '本站只能用绑定的手机号找回密码' })
      : new CallError('MAIL_NOT_CONFIGURED');
  await requestCode(ctx, { purpose: 'reset', name: input.account, way }, input.challenge);
}

export const resetPassword = (ctx: Ctx, input: z.output<typeof calls.resetPassword.input>): Promise<void> =>
  withFailureLog(ctx, 'reset', input.account, () => resetByCode(ctx, input));

async function resetByCode(ctx: Ctx, input: z.output<typeof calls.resetPassword.input>): Promise<void> {
  // Checked against the input before any lookup, so the response reveals nothing about the account.
  checkNewPassword(input.newPassword, input.account, 'newPassword');
  const attempt = await countSignInFailure(ctx, { challenge: input.challenge });
  const account = await queries.findAccountByName(ctx.db, input.account);
  if (account === null) throw new CallError('WRONG_CODE');
  const way = getCodeChannel(ctx, input.account);
  const code = await verifyCode(ctx, 'reset', toCodeTarget(account, way), input.code);
  const passwordHash = await hashPassword(ctx, input.newPassword);
  await inTransaction(ctx, async (ctx) => {
    const current = await queries.lockAccount(ctx.db, account.userId);
    await code.consume(ctx);
    const addedAt = way === 'mail' ? current.emailAddedAt : current.phoneAddedAt;
    if (!isTrustedAddress(addedAt, ctx.now)) throw new CallError('WRONG_CODE');
    await queries.updateAccount(ctx.db, account.userId, {
      passwordHash,
      mustChangePassword: false,
      ...(way === 'mail' ? { emailVerified: true, emailBounce: null } : {}),
      updatedAt: ctx.now,
    });
    if (way === 'mail' && !current.emailVerified) await removeUnverifiedAccess(ctx, current);
    await queries.removeFailures(ctx.db, account.name);
    await clearTotpAttempts(ctx, account.userId);
    await revokeAccess(ctx, account.userId);
    // The phone number may have changed hands, so the owner is notified by other means.
    if (way === 'sms') await recordAccountChange(ctx, current, { kind: 'password' });
  });
  await attempt.revert();
  const { log } = ctx.services;
  log.info({ address: ctx.requester.address, account: account.name }, 'password reset');
}

/**
 * Somebody else may have registered with the address: removes everything that could let them in again. Staff keep
 * their second factor, so that a mailbox alone never opens the back office.
 */
async function removeUnverifiedAccess(ctx: Ctx, { userId, phone }: Account): Promise<void> {
  const user = await findUserWithAccount(ctx, userId);
  await queries.updateAccount(ctx.db, userId, {
    phone: null,
    phoneAddedAt: null,
    ...(user?.access.isStaff ? {} : { totpOn: false, totpSecret: null }),
  });
  await queries.removeCodes(ctx.db, userId);
  await removeChanges(ctx.db, userId);
  if (phone === null) return;
  await notify(ctx, {
    userId,
    kind: 'system',
    text: '你用邮箱重置了密码，邮箱由此得到验证；此前绑定的手机号已移除，需要时请重新绑定。',
  });
}

/** For the command line: sets a temporary password and removes the second factor; null without a staff account. */
export async function resetAdministrator(ctx: Ctx, name: string): Promise<string | null> {
  const account = await queries.findAccountByName(ctx.db, name);
  const user = account === null ? null : await findUserWithAccount(ctx, account.userId);
  if (account === null || user === null || !user.access.isStaff) return null;
  const password = newPassword();
  const passwordHash = await hashPassword(ctx, password);
  await inTransaction(ctx, async (ctx) => {
    await queries.updateAccount(ctx.db, account.userId, {
      passwordHash,
      mustChangePassword: true,
      enabled: true,
      totpOn: false,
      totpSecret: null,
      updatedAt: ctx.now,
    });
    await queries.removeFailures(ctx.db, account.name);
    await clearTotpAttempts(ctx, account.userId);
    await revokeAccess(ctx, account.userId);
  });
  return password;
}
