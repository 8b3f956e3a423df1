import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup, networkOf } from '../../../../address.ts';
import type { Ctx } from '../../../../ctx.ts';
import { addFailure, findFailures } from '../queries/accounts.ts';
import { addGuess, type GuessKey, isGuessTooMany, removeGuesses, takeGuess } from '../queries/guesses.ts';
import {
  addressGuesses,
  CHALLENGE_FROM,
  LOCK_FROM,
  LOCK_LIFE,
  networkGuesses,
  totpGuesses,
} from '../rules/users.ts';
import { requireChallenge } from './challenge.ts';

function locked(lastAt: Date, now: Date): CallError {
  const seconds = Math.max(1, Math.ceil((lastAt.getTime() + LOCK_LIFE - now.getTime()) / 1000));
  return new CallError('ACCOUNT_LOCKED', {
    message: `失败次数太多，请 ${Math.ceil(seconds / 60)} 分钟后再试`,
    retryAfter: seconds,
  });
}

const placesOf = ({ asker }: Ctx): GuessKey[] => [
  { key: `address ${addressGroup(asker.address)}`, ...addressGuesses },
  { key: `network ${networkOf(asker.address)}`, ...networkGuesses },
];

interface Guess {
  /** Failures of the account from this address, this one included; 0 when no account was given. */
  failures: number;
  /** It was no failure: the address and its network are no worse for it. */
  takeBack: () => Promise<void>;
}

/**
 * Counts a guess at a password or code as a failure, before it is looked at, so that a flood cannot outrun the count.
 * The address and its network count over all accounts and lead to a challenge; the account, where one is given, counts
 * per address and leads to a challenge, then to a lock. Whoever guessed right calls `takeBack`.
 */
export async function countSignInFailure(
  ctx: Ctx,
  { account, challenge }: { account?: string; challenge: string | undefined },
): Promise<Guess> {
  const { db, now } = ctx;
  const address = addressGroup(ctx.asker.address);
  const places = placesOf(ctx);
  const earlier = account === undefined ? null : await findFailures(db, account, address, now);
  if (earlier !== null && earlier.failures >= LOCK_FROM) throw locked(earlier.lastAt, now);
  const isSuspect =
    (earlier !== null && earlier.failures >= CHALLENGE_FROM) || (await isGuessTooMany(db, places, now));
  if (isSuspect) await requireChallenge(ctx, challenge);
  const failures = account === undefined ? 0 : await addFailure(db, account, address, now);
  if (failures === null) throw locked(now, now);
  const takeBack = async () => {
    await addGuess(db, places, now, -1);
  };
  const isOver = (await addGuess(db, places, now)) || failures > CHALLENGE_FROM;
  // Others came at the same moment.
  if (isOver && !isSuspect)
    await requireChallenge(ctx, challenge).catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
  return { failures, takeBack };
}

const totpKey = (userId: string): GuessKey => ({ key: `totp ${userId}`, ...totpGuesses });

/** Counts a guess at the second factor of an account, from wherever it comes; true: it was the last for a while. */
export async function countTotpGuess(ctx: Ctx, userId: string): Promise<boolean> {
  const count = await takeGuess(ctx.db, totpKey(userId), ctx.now);
  if (count !== null) return count >= totpGuesses.max;
  const minutes = totpGuesses.forgetMs / 60_000;
  throw new CallError('ACCOUNT_LOCKED', {
    message: `动态验证码错得太多，请 ${minutes} 分钟后再试`,
    retryAfter: totpGuesses.forgetMs / 1000,
  });
}

export const forgetTotpGuesses = (ctx: Ctx, userId: string): Promise<void> =>
  removeGuesses(ctx.db, totpKey(userId).key);
