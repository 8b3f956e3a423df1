import { CallError } from '#contract/errors.ts';
import type { Ctx } from '../../../ctx.ts';
import { addressGroup } from '../../../http/asker.ts';
import { addFailure, findFailures } from '../queries/accounts.ts';
import { CHALLENGE_FROM, LOCK_FROM, LOCK_LIFE } from '../rules.ts';
import { requireChallenge } from './challenge.ts';

function locked(lastAt: Date, now: Date): CallError {
  const seconds = Math.max(1, Math.ceil((lastAt.getTime() + LOCK_LIFE - now.getTime()) / 1000));
  return new CallError('ACCOUNT_LOCKED', {
    message: `失败次数太多，请 ${Math.ceil(seconds / 60)} 分钟后再试`,
    retryAfter: seconds,
  });
}

/** Counts a guess at the password of an account as a failure, before it is looked at; whoever was right removes them. */
export async function countSignInFailure(
  ctx: Ctx,
  { account, challenge }: { account: string; challenge: string | undefined },
): Promise<{ failures: number }> {
  const { db, now } = ctx;
  const address = addressGroup(ctx.asker.address);
  const earlier = await findFailures(db, account, address, now);
  if (earlier !== null && earlier.failures >= LOCK_FROM) throw locked(earlier.lastAt, now);
  if (earlier !== null && earlier.failures >= CHALLENGE_FROM) await requireChallenge(ctx, challenge);
  const failures = await addFailure(db, account, address, now);
  if (failures === null) throw locked(now, now);
  return { failures };
}
