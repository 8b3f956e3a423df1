import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { canMail, canText } from '../../../platform/mail-sms/index.ts';
import { removeChanges } from '../queries/account-changes.ts';
import * as queries from '../queries/accounts.ts';
import { checkNewPassword, isTrustedAddress } from '../rules/users.ts';
import { hashPassword, newPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordChange } from './account-changes.ts';
import { requestCode, takeCode, targetOf, wayTo } from './codes.ts';
import { countSignInFailure, forgetTotpGuesses } from './guard.ts';
import { notify } from './notices.ts';
import { checkOwnPassword, forgetFailures, wrongOwnPassword } from './own-password.ts';
import { findPerson } from './sessions.ts';
import { loggingFailures } from './sign-in-log.ts';
import { endAccess } from './tokens.ts';

type PasswordChange = z.output<typeof calls.changePassword.input>;

export const changePassword = (ctx: Ctx, viewer: Viewer, input: PasswordChange): Promise<void> =>
  loggingFailures(ctx, viewer.account, () => replacePassword(ctx, viewer, input));

async function replacePassword(
  ctx: Ctx,
  viewer: Viewer,
  { oldPassword, newPassword, challenge }: PasswordChange,
): Promise<void> {
  const account = await queries.getAccount(ctx.db, viewer.id);
  const wrong = wrongOwnPassword('oldPassword', '原密码不对');
  await checkOwnPassword(ctx, account, { password: oldPassword, challenge }, wrong);
  await forgetFailures(ctx, account);
  checkNewPassword(newPassword, account.name, 'newPassword');
  if (oldPassword === newPassword) {
    throw new CallError('INVALID', {
      message: '新密码不能和原密码一样',
      fields: { newPassword: '新密码不能和原密码一样' },
    });
  }
  const passwordHash = await hashPassword(ctx, newPassword);
  await inTx(ctx, async (ctx) => {
    // Of two changes at once the second no longer knows the old password.
    const current = await queries.lockAccount(ctx.db, viewer.id);
    if (current.passwordHash !== account.passwordHash) throw wrong;
    await queries.updateAccount(ctx.db, viewer.id, {
      passwordHash,
      mustChangePassword: false,
      updatedAt: ctx.now,
    });
    await endAccess(ctx, viewer.id, viewer.sessionId);
    await recordChange(ctx, current, { kind: 'password' });
  });
}

export async function askReset(ctx: Ctx, input: z.output<typeof calls.askReset.input>): Promise<void> {
  const way = wayTo(ctx, input.account);
  if (way === 'mail' && !canMail(ctx))
    throw canText(ctx)
      ? new CallError('MAIL_NOT_CONFIGURED', { message: '本站只能用绑定的手机号找回密码' })
      : new CallError('MAIL_NOT_CONFIGURED');
  await requestCode(ctx, { purpose: 'reset', name: input.account, way }, input.challenge);
}

export const resetPassword = (ctx: Ctx, input: z.output<typeof calls.resetPassword.input>): Promise<void> =>
  loggingFailures(ctx, input.account, () => resetByCode(ctx, input));

async function resetByCode(ctx: Ctx, input: z.output<typeof calls.resetPassword.input>): Promise<void> {
  // Against what was typed, before anything is looked up: the answer tells nothing of the account.
  checkNewPassword(input.newPassword, input.account, 'newPassword');
  const guess = await countSignInFailure(ctx, { challenge: input.challenge });
  const account = await queries.findAccountByName(ctx.db, input.account);
  if (account === null) throw new CallError('WRONG_CODE');
  const way = wayTo(ctx, input.account);
  const code = await takeCode(ctx, 'reset', targetOf(account, way), input.code);
  const passwordHash = await hashPassword(ctx, input.newPassword);
  await inTx(ctx, async (ctx) => {
    const current = await queries.lockAccount(ctx.db, account.userId);
    await code.spend(ctx);
    const addedAt = way === 'mail' ? current.emailAddedAt : current.phoneAddedAt;
    if (!isTrustedAddress(addedAt, ctx.now)) throw new CallError('WRONG_CODE');
    await queries.updateAccount(ctx.db, account.userId, {
      passwordHash,
      mustChangePassword: false,
      ...(way === 'mail' ? { emailVerified: true } : {}),
      updatedAt: ctx.now,
    });
    if (way === 'mail' && !current.emailVerified) await dropUnverified(ctx, current);
    await queries.removeFailures(ctx.db, account.name);
    await forgetTotpGuesses(ctx, account.userId);
    await endAccess(ctx, account.userId);
    // Whoever took over a number is not the only one to hear of it.
    if (way === 'sms') await recordChange(ctx, current, { kind: 'password' });
  });
  await guess.takeBack();
  const { log } = ctx.services;
  log.info({ address: ctx.asker.address, account: account.name }, 'password reset');
}

/**
 * Whoever registered with the address may not have been its owner, who has it from here on alone: whatever else could
 * let the former in again is dropped. Staff keep their second factor, so that a mailbox never is enough for the back office.
 */
async function dropUnverified(ctx: Ctx, { userId, phone }: Account): Promise<void> {
  const person = await findPerson(ctx, userId);
  await queries.updateAccount(ctx.db, userId, {
    phone: null,
    phoneAddedAt: null,
    ...(person?.access.isStaff ? {} : { totpOn: false, totpSecret: null }),
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

/** For the operator at the terminal: a one-time password and no second factor; null when this is no staff account. */
export async function resetAdministrator(ctx: Ctx, name: string): Promise<string | null> {
  const account = await queries.findAccountByName(ctx.db, name);
  const person = account === null ? null : await findPerson(ctx, account.userId);
  if (account === null || person === null || !person.access.isStaff) return null;
  const password = newPassword();
  const passwordHash = await hashPassword(ctx, password);
  await inTx(ctx, async (ctx) => {
    await queries.updateAccount(ctx.db, account.userId, {
      passwordHash,
      mustChangePassword: true,
      enabled: true,
      totpOn: false,
      totpSecret: null,
      updatedAt: ctx.now,
    });
    await queries.removeFailures(ctx.db, account.name);
    await forgetTotpGuesses(ctx, account.userId);
    await endAccess(ctx, account.userId);
  });
  return password;
}
