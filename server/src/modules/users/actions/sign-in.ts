import { TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { CallError } from '#contract/errors.ts';
import type { CurrentUser, signIn as call } from '#contract/users.ts';
import { type Ctx, inTx, type Viewer } from '../../../ctx.ts';
import { addressGroup } from '../../../http/asker.ts';
import { placeOf } from '../../../secrets.ts';
import { getSiteSettings } from '../../settings/index.ts';
import * as queries from '../queries/accounts.ts';
import { CHALLENGE_FROM, LOCK_FROM, LOCK_LIFE, wrongPassword } from '../rules.ts';
import { verifyPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { requireChallenge } from './challenge.ts';
import { getCurrentUser, startSession } from './sessions.ts';

function locked(lastAt: Date, now: Date): CallError {
  const seconds = Math.max(1, Math.ceil((lastAt.getTime() + LOCK_LIFE - now.getTime()) / 1000));
  return new CallError('ACCOUNT_LOCKED', {
    message: `失败次数太多，请 ${Math.ceil(seconds / 60)} 分钟后再试`,
    retryAfter: seconds,
  });
}

export async function signIn(ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> {
  const address = addressGroup(ctx.asker.address);
  const account = await queries.findAccountByName(ctx.db, input.account);
  // One count for an account, whichever of its names was typed.
  const name = account?.name ?? input.account;
  const earlier = await queries.findFailures(ctx.db, name, address, ctx.now);
  if (earlier !== null && earlier.failures >= LOCK_FROM) throw locked(earlier.lastAt, ctx.now);
  if (earlier !== null && earlier.failures >= CHALLENGE_FROM) await requireChallenge(ctx, input.challenge);
  const failures = await queries.addFailure(ctx.db, name, address, ctx.now);
  if (failures === null) throw locked(ctx.now, ctx.now);

  const isRight = await verifyPassword(ctx, account?.passwordHash, input.password);
  if (account === null || !isRight) throw wrongPassword(failures);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  await checkTotp(ctx, account, input.totp);
  return inTx(ctx, async (ctx) => {
    await queries.removeFailures(ctx.db, name, address);
    await startSession(ctx, account, 'password');
    return getCurrentUser(ctx, account.userId);
  });
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

/** The second factor, for accounts that have switched it on. */
export async function checkTotp(ctx: Ctx, account: Account, code: string | undefined): Promise<void> {
  if (!account.totpOn) return;
  if (code === undefined) throw new CallError('TOTP_REQUIRED');
  if (!(await takeTotp(ctx, account, code))) throw new CallError('WRONG_TOTP');
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
    const account = await queries.getAccount(ctx.db, viewer.id);
    if (account.totpOn) throw new CallError('TOTP_ALREADY_ON');
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
  if (!(await takeTotp(ctx, account, code))) throw new CallError('WRONG_TOTP');
  await queries.updateAccount(ctx.db, viewer.id, { totpOn: true, updatedAt: ctx.now });
}

export async function removeTotp(ctx: Ctx, viewer: Viewer, code: string): Promise<void> {
  requireStaff(viewer);
  const account = await queries.getAccount(ctx.db, viewer.id);
  if (!account.totpOn) throw new CallError('TOTP_NOT_ENROLLED');
  if (!(await takeTotp(ctx, account, code))) throw new CallError('WRONG_TOTP');
  await queries.updateAccount(ctx.db, viewer.id, { totpOn: false, totpSecret: null, updatedAt: ctx.now });
}
