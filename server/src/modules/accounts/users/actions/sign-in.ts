import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser, signIn as call } from '@mozhan/contract/users.ts';
import { TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { addressGroup } from '../../../../address.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { secretContextOf } from '../../../../secrets/secrets.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { createSignInError } from '../rules/users.ts';
import { verifyPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordAccountChange, requireChangeUnlocked } from './account-changes.ts';
import { notify } from './notices.ts';
import { requireReauth } from './require-reauth.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { clearTotpAttempts, countSignInFailure, countTotpAttempt } from './sign-in-limits.ts';
import { withFailureLog } from './sign-in-log.ts';

export const signIn = (ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> =>
  withFailureLog(ctx, 'password', input.account, () => signInByPassword(ctx, input));

async function signInByPassword(ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> {
  const account = await queries.findAccountByName(ctx.db, input.account);
  // Name, e-mail and phone of an account share one counter.
  const name = account?.name ?? input.account;
  const attempt = await countSignInFailure(ctx, { account: name, challenge: input.challenge });

  const isRight = await verifyPassword(ctx, account?.passwordHash, input.password);
  if (account === null || !isRight) throw createSignInError(attempt.failures);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp, attempt.revert);
  const user = await inTransaction(ctx, async (ctx) => {
    await queries.removeFailures(ctx.db, name, addressGroup(ctx.requester.address));
    await startSession(ctx, account, 'password');
    return getCurrentUser(ctx, account.userId);
  });
  await attempt.revert();
  return user;
}

const TOTP_PERIOD = 30;

/** Accepts a code of the current or an adjacent time step; each works once. */
async function consumeTotp(ctx: Ctx, account: Account, code: string): Promise<boolean> {
  if (account.totpSecret === null) return false;
  const timestamp = ctx.now.getTime();
  const secret = ctx.services.encryption.decrypt(secretContextOf.totp(account.userId), account.totpSecret);
  const totp = new TOTP({ secret, digits: 6, period: TOTP_PERIOD });
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  if (delta === null) return false;
  return queries.updateTotpStep(ctx.db, account.userId, Math.floor(timestamp / 1000 / TOTP_PERIOD) + delta);
}

/** Warns the owner, since the attacker knows the password or reads the mail. */
const notifyTotpFailures = (ctx: Ctx, userId: string): Promise<void> =>
  inTransaction(ctx, (ctx) =>
    notify(ctx, {
      userId,
      kind: 'system',
      text: '有人通过了你账号的第一步登录，但多次填错动态验证码。如果不是你本人，请尽快修改密码。',
    }),
  );

/** Checks the second factor if it is on. Requesting it is no failed attempt, so the count is reverted. */
export async function checkTotp(
  ctx: Ctx,
  account: Account,
  code: string | undefined,
  revertAttempt?: () => Promise<void>,
): Promise<void> {
  if (!account.totpOn) return;
  if (code === undefined) {
    await revertAttempt?.();
    throw new CallError('TOTP_REQUIRED');
  }
  await requireTotp(ctx, account, code);
}

async function requireTotp(ctx: Ctx, account: Account, code: string): Promise<void> {
  const isLast = await countTotpAttempt(ctx, account.userId);
  if (!(await consumeTotp(ctx, account, code))) {
    if (isLast) await notifyTotpFailures(ctx, account.userId);
    throw new CallError('WRONG_TOTP');
  }
  await clearTotpAttempts(ctx, account.userId);
}

function requireStaff(viewer: Viewer): void {
  if (!viewer.isStaff) throw new CallError('FORBIDDEN', { message: '两步验证只对工作人员开放' });
}

export async function enrolTotp(
  ctx: Ctx,
  viewer: Viewer,
): Promise<{ secret: string; url: string; qr: string }> {
  requireStaff(viewer);
  const { title } = await getSiteSettings(ctx);
  return inTransaction(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, viewer.id);
    if (account.totpOn) throw new CallError('TOTP_ALREADY_ON');
    await requireReauth(ctx, viewer);
    await requireChangeUnlocked(ctx, viewer.id, 'totp-on');
    const totp = new TOTP({ issuer: title, label: account.name, digits: 6, period: TOTP_PERIOD });
    const totpSecret = ctx.services.encryption.encrypt(secretContextOf.totp(viewer.id), totp.secret.base32);
    await queries.updateAccount(ctx.db, viewer.id, { totpSecret, updatedAt: ctx.now });
    const url = totp.toString();
    return { secret: totp.secret.base32, url, qr: renderSVG(url) };
  });
}

export async function confirmTotp(ctx: Ctx, viewer: Viewer, code: string): Promise<void> {
  requireStaff(viewer);
  const account = await queries.getAccount(ctx.db, viewer.id);
  if (account.totpOn) throw new CallError('TOTP_ALREADY_ON');
  if (account.totpSecret === null) throw new CallError('TOTP_NOT_ENROLLED');
  await requireReauth(ctx, viewer);
  if (!(await consumeTotp(ctx, account, code))) throw new CallError('WRONG_TOTP');
  await switchTotp(ctx, viewer, account, true);
}

export async function removeTotp(ctx: Ctx, viewer: Viewer, code: string): Promise<void> {
  requireStaff(viewer);
  const account = await queries.getAccount(ctx.db, viewer.id);
  if (!account.totpOn) throw new CallError('TOTP_NOT_ENROLLED');
  await requireReauth(ctx, viewer);
  await requireTotp(ctx, account, code);
  await switchTotp(ctx, viewer, account, false);
}

/** Repeats all checks under the account's lock: the session may have ended, or a change may have been undone. */
const switchTotp = (ctx: Ctx, viewer: Viewer, unlocked: Account, totpOn: boolean): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, viewer.id);
    if (account.totpSecret !== unlocked.totpSecret || account.totpOn === totpOn)
      throw new CallError('TOTP_NOT_ENROLLED');
    const kind = totpOn ? 'totp-on' : 'totp-off';
    await requireReauth(ctx, viewer);
    await requireChangeUnlocked(ctx, viewer.id, kind);
    await queries.updateAccount(ctx.db, viewer.id, {
      totpOn,
      ...(totpOn ? {} : { totpSecret: null }),
      updatedAt: ctx.now,
    });
    await recordAccountChange(ctx, account, { kind });
  });
