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

/** fail2ban parses `signIn`, `address` and `reason`: keep this order, before any user input. */
export function logFailedSignIn(
  { log }: Services,
  { address, reason, account }: { address: string; reason: string; account: string },
): void {
  log.warn(
    { signIn: 'failed', address: isIP(address) === 0 ? 'unknown' : address, reason, account },
    'sign-in failed',
  );
}

/** Users may type a password as the account, so input that names no account is logged as a keyed hash. */
async function toLoggedAccount({ db, services }: Ctx, input: string): Promise<string> {
  const account = await findAccountByName(db, input);
  if (account !== null) return account.name;
  const hash = createHmac('sha256', services.secret).update(`log\n${input}`).digest('hex');
  return `unknown:${hash.slice(0, 12)}`;
}

export async function withFailureLog<T>(ctx: Ctx, input: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof CallError ? reasons[error.code] : undefined;
    if (reason !== undefined) {
      const account = await toLoggedAccount(ctx, input);
      logFailedSignIn(ctx.services, { address: ctx.requester.address, reason, account });
    }
    throw error;
  }
}
