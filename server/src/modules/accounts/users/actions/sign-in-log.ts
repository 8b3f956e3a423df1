import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { CallError, type ErrorCode } from '@mozhan/contract/errors.ts';
import type { Ctx, Services } from '../../../../ctx.ts';
import { findAccountByName } from '../queries/accounts.ts';

const reasons: Partial<Record<ErrorCode, string>> = {
  WRONG_PASSWORD: 'password',
  WRONG_TOTP: 'totp',
  WRONG_CODE: 'code',
  ACCOUNT_LOCKED: 'locked',
  ACCOUNT_DISABLED: 'disabled',
};

/**
 * One line for each failure. Programs such as fail2ban read it by `signIn`, `address` and `reason`, which stay in this
 * order before anything that somebody has typed.
 */
export function logFailedSignIn(
  { log }: Services,
  { address, reason, account }: { address: string; reason: string; account: string },
): void {
  log.warn(
    { signIn: 'failed', address: isIP(address) === 0 ? 'unknown' : address, reason, account },
    'sign-in failed',
  );
}

/** Many type their password where the account belongs: what names no account is logged as a keyed hash. */
async function accountFor({ db, services }: Ctx, typed: string): Promise<string> {
  const account = await findAccountByName(db, typed);
  if (account !== null) return account.name;
  const hash = createHmac('sha256', services.secret).update(`log\n${typed}`).digest('hex');
  return `unknown:${hash.slice(0, 12)}`;
}

/** Logs the failures of a way to sign in. */
export async function loggingFailures<T>(ctx: Ctx, typed: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof CallError ? reasons[error.code] : undefined;
    if (reason !== undefined) {
      const account = await accountFor(ctx, typed);
      logFailedSignIn(ctx.services, { address: ctx.asker.address, reason, account });
    }
    throw error;
  }
}
