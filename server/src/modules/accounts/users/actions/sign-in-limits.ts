import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup, networkOf } from '../../../../address.ts';
import type { Ctx } from '../../../../ctx.ts';
import { addFailure, findFailures } from '../queries/accounts.ts';
import {
  type AttemptKey,
  addAttempt,
  isAttemptLimitReached,
  removeAttempts,
  tryAddAttempt,
} from '../queries/attempts.ts';
import {
  addressAttemptLimit,
  CHALLENGE_THRESHOLD,
  LOCK_DURATION,
  LOCK_THRESHOLD,
  networkAttemptLimit,
  totpAttemptLimit,
} from '../rules/users.ts';
import { requireChallenge } from './challenge.ts';

function createLockedError(lastAt: Date, now: Date): CallError {
  const seconds = Math.max(1, Math.ceil((lastAt.getTime() + LOCK_DURATION - now.getTime()) / 1000));
  return new CallError('ACCOUNT_LOCKED', {
    message: `失败次数太多，请 ${Math.ceil(seconds / 60)} 分钟后再试`,
    retryAfter: seconds,
  });
}

const getAttemptKeys = ({ requester }: Ctx): AttemptKey[] => [
  { key: `address ${addressGroup(requester.address)}`, ...addressAttemptLimit },
  { key: `network ${networkOf(requester.address)}`, ...networkAttemptLimit },
];

interface CountedAttempt {
  /** Failures of the account from this address including this one; 0 without an account. */
  failures: number;
  /** Call it when the attempt was no failure: removes it from the counters of the address and network. */
  revert: () => Promise<void>;
}

/**
 * Counts an attempt as a failure before it is checked, so that parallel attempts cannot bypass the limit. Address and
 * network count over all accounts and lead to a challenge; an account counts per address and leads to a challenge, then
 * to a lock. Call `revert` after a correct attempt.
 */
export async function countSignInFailure(
  ctx: Ctx,
  { account, challenge }: { account?: string; challenge: string | undefined },
): Promise<CountedAttempt> {
  const { db, now } = ctx;
  const address = addressGroup(ctx.requester.address);
  const keys = getAttemptKeys(ctx);
  const earlier = account === undefined ? null : await findFailures(db, account, address, now);
  if (earlier !== null && earlier.failures >= LOCK_THRESHOLD) throw createLockedError(earlier.lastAt, now);
  const isSuspect =
    (earlier !== null && earlier.failures >= CHALLENGE_THRESHOLD) ||
    (await isAttemptLimitReached(db, keys, now));
  if (isSuspect) await requireChallenge(ctx, challenge);
  const failures = account === undefined ? 0 : await addFailure(db, account, address, now);
  if (failures === null) throw createLockedError(now, now);
  const revert = async () => {
    await addAttempt(db, keys, now, -1);
  };
  const isOver = (await addAttempt(db, keys, now)) || failures > CHALLENGE_THRESHOLD;
  // Concurrent attempts may have exceeded the limit meanwhile.
  if (isOver && !isSuspect)
    await requireChallenge(ctx, challenge).catch(async (error: unknown) => {
      await revert();
      throw error;
    });
  return { failures, revert };
}

const totpKey = (userId: string): AttemptKey => ({ key: `totp ${userId}`, ...totpAttemptLimit });

/** Counts an attempt from any address; returns true when it is the last one allowed, and throws afterwards. */
export async function countTotpAttempt(ctx: Ctx, userId: string): Promise<boolean> {
  const count = await tryAddAttempt(ctx.db, totpKey(userId), ctx.now);
  if (count !== null) return count >= totpAttemptLimit.max;
  const minutes = totpAttemptLimit.decayMs / 60_000;
  throw new CallError('ACCOUNT_LOCKED', {
    message: `动态验证码错得太多，请 ${minutes} 分钟后再试`,
    retryAfter: totpAttemptLimit.decayMs / 1000,
  });
}

export const clearTotpAttempts = (ctx: Ctx, userId: string): Promise<void> =>
  removeAttempts(ctx.db, totpKey(userId).key);
