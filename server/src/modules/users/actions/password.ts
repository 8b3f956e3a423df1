import { z } from 'zod';
import { CallError } from '#contract/errors.ts';
import type * as calls from '#contract/users.ts';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import { addJob } from '../../../jobs.ts';
import { canMail, sendMail } from '../../mail/index.ts';
import { getSiteSettings } from '../../settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { CODE_GAP, CODE_LIFE, checkNewPassword } from '../rules.ts';
import { codeDigest, hashPassword, newCode, newPassword, sameBytes, verifyPassword } from '../secrets.ts';
import { requireChallenge } from './challenge.ts';
import { endSessions, findPerson, getCurrentUser, startSession } from './sessions.ts';
import { checkTotp } from './sign-in.ts';
import { endAccess } from './tokens.ts';

type Purpose = 'reset' | 'bind' | 'login';

export async function changePassword(
  ctx: Ctx,
  viewer: Viewer,
  oldPassword: string,
  newPassword: string,
): Promise<void> {
  const account = await queries.getAccount(ctx.db, viewer.id);
  if (!(await verifyPassword(account.passwordHash, oldPassword))) {
    throw new CallError('WRONG_PASSWORD', { message: '原密码不对' });
  }
  checkNewPassword(newPassword, account.name, 'newPassword');
  if (oldPassword === newPassword) {
    throw new CallError('INVALID', {
      message: '新密码不能和原密码一样',
      fields: { newPassword: '新密码不能和原密码一样' },
    });
  }
  const passwordHash = await hashPassword(newPassword);
  await inTx(ctx, async (ctx) => {
    // Of two changes at once the second no longer knows the old password.
    const current = await queries.lockAccount(ctx.db, viewer.id);
    if (current.passwordHash !== account.passwordHash)
      throw new CallError('WRONG_PASSWORD', { message: '原密码不对' });
    await queries.updateAccount(ctx.db, viewer.id, {
      passwordHash,
      mustChangePassword: false,
      updatedAt: ctx.now,
    });
    await endSessions(ctx, { userId: viewer.id, except: viewer.sessionId });
  });
}

const subjects: Record<Purpose, string> = { reset: '重置密码', bind: '绑定邮箱', login: '登录' };

/** Mails a new code, unless the last one is under a minute old. */
async function mailCode(
  ctx: Ctx,
  purpose: Purpose,
  code: { target: string; userId: string; to: string },
): Promise<void> {
  const last = await queries.findCode(ctx.db, purpose, code.target);
  const isRecent = last !== null && last.expiresAt.getTime() > ctx.now.getTime() + CODE_LIFE - CODE_GAP;
  if (isRecent) return;
  const digits = newCode();
  const { title } = await getSiteSettings(ctx);
  await inTx(ctx, async (ctx) => {
    await queries.replaceCode(ctx.db, {
      purpose,
      target: code.target,
      userId: code.userId,
      hash: codeDigest(ctx.services.secret, code.target, digits),
      expiresAt: new Date(ctx.now.getTime() + CODE_LIFE),
    });
    await sendMail(ctx, {
      to: code.to,
      subject: `${title}：${subjects[purpose]}验证码 ${digits}`,
      text: `你正在${title}${subjects[purpose]}，验证码是：\n\n${digits}\n\n10 分钟内有效，请不要告诉任何人。如果不是你本人操作，忽略这封邮件即可。\n`,
    });
  });
}

/** The attempt counts even when what follows fails; the code itself is used up by `spend`. */
async function takeCode(ctx: Ctx, purpose: Purpose, target: string, code: string) {
  const row = await queries.takeAttempt(ctx.db, purpose, target, ctx.now);
  if (row === null || !sameBytes(row.hash, codeDigest(ctx.services.secret, target, code)))
    throw new CallError('WRONG_CODE');
  return {
    async spend(ctx: Ctx): Promise<void> {
      if (!(await queries.removeCode(ctx.db, purpose, target, row.hash))) throw new CallError('WRONG_CODE');
    },
  };
}

export async function askReset(ctx: Ctx, input: z.output<typeof calls.askReset.input>): Promise<void> {
  if (!canMail(ctx)) throw new CallError('MAIL_NOT_CONFIGURED');
  await requireChallenge(ctx, input.challenge);
  // Looked up by the job: the answer takes as long whether there is such an account or not.
  await addJob(ctx, 'mail-code', { purpose: 'reset', name: input.account } satisfies CodeRequest);
}

export const codeRequest = z.object({ purpose: z.enum(['reset', 'login']), name: z.string() });
type CodeRequest = z.output<typeof codeRequest>;

/** Mails a code to the owner of an account, if there is one who can have it. */
export async function mailRequestedCode(ctx: Ctx, { purpose, name }: CodeRequest): Promise<void> {
  const account = await queries.findAccountByName(ctx.db, name);
  if (account === null || account.email === null || !account.enabled) return;
  // Whoever registered with an address may not be its owner; a reset puts that right, a sign-in would not.
  if (purpose === 'login' && !account.emailVerified) return;
  await mailCode(ctx, purpose, { target: account.userId, userId: account.userId, to: account.email });
}

export async function resetPassword(
  ctx: Ctx,
  input: z.output<typeof calls.resetPassword.input>,
): Promise<void> {
  // Against what was typed, before anything is looked up: the answer tells nothing of the account.
  checkNewPassword(input.newPassword, input.account, 'newPassword');
  const account = await queries.findAccountByName(ctx.db, input.account);
  if (account === null) throw new CallError('WRONG_CODE');
  const code = await takeCode(ctx, 'reset', account.userId, input.code);
  const passwordHash = await hashPassword(input.newPassword);
  await inTx(ctx, async (ctx) => {
    await code.spend(ctx);
    await queries.updateAccount(ctx.db, account.userId, {
      passwordHash,
      mustChangePassword: false,
      emailVerified: true,
      updatedAt: ctx.now,
    });
    await queries.removeFailures(ctx.db, account.name);
    await endAccess(ctx, account.userId);
  });
}

export async function sendCode(ctx: Ctx, input: z.output<typeof calls.sendCode.input>): Promise<void> {
  if (!canMail(ctx)) throw new CallError('MAIL_NOT_CONFIGURED');
  if (input.purpose === 'bind') {
    if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
    const owner = await queries.findAccountByName(ctx.db, input.target);
    if (owner !== null && owner.userId !== ctx.viewer.id)
      throw new CallError('ACCOUNT_TAKEN', { message: '这个邮箱已被其他账号使用' });
    await mailCode(ctx, 'bind', {
      target: `${ctx.viewer.id} ${input.target}`,
      userId: ctx.viewer.id,
      to: input.target,
    });
    return;
  }
  await requireChallenge(ctx, input.challenge);
  await addJob(ctx, 'mail-code', { purpose: 'login', name: input.target } satisfies CodeRequest);
}

export async function acceptCode(ctx: Ctx, input: z.output<typeof calls.acceptCode.input>) {
  if (input.purpose === 'bind') {
    const { viewer } = ctx;
    if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
    const code = await takeCode(ctx, 'bind', `${viewer.id} ${input.target}`, input.code);
    return inTx(ctx, async (ctx) => {
      await code.spend(ctx);
      await queries.updateAccount(ctx.db, viewer.id, {
        email: input.target,
        emailVerified: true,
        updatedAt: ctx.now,
      });
      return getCurrentUser(ctx, viewer.id);
    });
  }
  const account = await queries.findAccountByName(ctx.db, input.target);
  if (account === null) throw new CallError('WRONG_CODE');
  const code = await takeCode(ctx, 'login', account.userId, input.code);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp);
  return inTx(ctx, async (ctx) => {
    await code.spend(ctx);
    await startSession(ctx, account, 'code');
    return getCurrentUser(ctx, account.userId);
  });
}

/** For the operator at the terminal: a one-time password and no second factor; null when this is no staff account. */
export async function resetAdministrator(ctx: Ctx, name: string): Promise<string | null> {
  const account = await queries.findAccountByName(ctx.db, name);
  const person = account === null ? null : await findPerson(ctx, account.userId);
  if (account === null || person === null || !person.access.isStaff) return null;
  const password = newPassword();
  const passwordHash = await hashPassword(password);
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
    await endAccess(ctx, account.userId);
  });
  return password;
}
