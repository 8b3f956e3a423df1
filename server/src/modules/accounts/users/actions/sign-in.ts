import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser, signIn as call } from '@mozhan/contract/users.ts';
import { TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { addressGroup } from '../../../../address.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { placeOf } from '../../../../secrets/secrets.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { wrongPassword } from '../rules/users.ts';
import { verifyPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { recordChange, requireUnlocked } from './account-changes.ts';
import { countSignInFailure, countTotpGuess, forgetTotpGuesses } from './guard.ts';
import { notify } from './notices.ts';
import { requireReauth } from './require-reauth.ts';
import { getCurrentUser, startSession } from './sessions.ts';
import { loggingFailures } from './sign-in-log.ts';

export const signIn = (ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> =>
  loggingFailures(ctx, input.account, () => signInByPassword(ctx, input));

async function signInByPassword(ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> {
  const account = await queries.findAccountByName(ctx.db, input.account);
  // One count for an account, whichever of its names was typed.
  const name = account?.name ?? input.account;
  const guess = await countSignInFailure(ctx, { account: name, challenge: input.challenge });

  const isRight = await verifyPassword(ctx, account?.passwordHash, input.password);
  if (account === null || !isRight) throw wrongPassword(guess.failures);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp, guess.takeBack);
  const user = await inTx(ctx, async (ctx) => {
    await queries.removeFailures(ctx.db, name, addressGroup(ctx.asker.address));
    await startSession(ctx, account, 'password');
    return getCurrentUser(ctx, account.userId);
  });
  await guess.takeBack();
  return user;
}

const STEP = 30;

/** Takes a code of the current time step or the ones beside it; each works once. */
async function takeTotp(ctx: Ctx, account: Account, code: string): Promise<boolean> {
  if (account.totpSecret === null) return false;
  const timestamp = ctx.now.getTime();
  const secret = ctx.services.encryption.decrypt(placeOf.totp(account.userId), account.totpSecret);
  const totp = new TOTP({ secret, digits: 6, period: STEP });
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  if (delta === null) return false;
  return queries.updateTotpStep(ctx.db, account.userId, Math.floor(timestamp / 1000 / STEP) + delta);
}

/** Tells the owner: whoever gets this far knows the password, or reads the mail. */
const warnOfGuesses = (ctx: Ctx, userId: string): Promise<void> =>
  inTx(ctx, (ctx) =>
    notify(ctx, {
      userId,
      kind: 'system',
      text: '有人通过了你账号的第一步登录，但多次填错动态验证码。如果不是你本人，请尽快修改密码。',
    }),
  );

/** The second factor, for accounts that have switched it on; asking for it is no failure, so that is taken back. */
export async function checkTotp(
  ctx: Ctx,
  account: Account,
  code: string | undefined,
  takeBack?: () => Promise<void>,
): Promise<void> {
  if (!account.totpOn) return;
  if (code === undefined) {
    await takeBack?.();
    throw new CallError('TOTP_REQUIRED');
  }
  await requireTotp(ctx, account, code);
}

async function requireTotp(ctx: Ctx, account: Account, code: string): Promise<void> {
  const isLast = await countTotpGuess(ctx, account.userId);
  if (!(await takeTotp(ctx, account, code))) {
    if (isLast) await warnOfGuesses(ctx, account.userId);
    throw new CallError('WRONG_TOTP');
  }
  await forgetTotpGuesses(ctx, account.userId);
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
  return inTx(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, viewer.id);
    if (account.totpOn) throw new CallError('TOTP_ALREADY_ON');
    await requireReauth(ctx, viewer);
    await requireUnlocked(ctx, viewer.id, 'totp-on');
    const totp = new TOTP({ issuer: title, label: account.name, digits: 6, period: STEP });
    const totpSecret = ctx.services.encryption.encrypt(placeOf.totp(viewer.id), totp.secret.base32);
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
  if (!(await takeTotp(ctx, account, code))) throw new CallError('WRONG_TOTP');
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

/** Under the account's lock everything is checked once more: it may have been undone or ended meanwhile. */
const switchTotp = (ctx: Ctx, viewer: Viewer, seen: Account, totpOn: boolean): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const account = await queries.lockAccount(ctx.db, viewer.id);
    if (account.totpSecret !== seen.totpSecret || account.totpOn === totpOn)
      throw new CallError('TOTP_NOT_ENROLLED');
    const kind = totpOn ? 'totp-on' : 'totp-off';
    await requireReauth(ctx, viewer);
    await requireUnlocked(ctx, viewer.id, kind);
    await queries.updateAccount(ctx.db, viewer.id, {
      totpOn,
      ...(totpOn ? {} : { totpSecret: null }),
      updatedAt: ctx.now,
    });
    await recordChange(ctx, account, { kind });
  });
