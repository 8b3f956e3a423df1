import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../../../../address.ts';
import type { Ctx } from '../../../../ctx.ts';
import { removeFailures } from '../queries/accounts.ts';
import { verifyPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { countSignInFailure } from './sign-in-limits.ts';

export const createOwnPasswordError = (field = 'password', message = '密码不对'): CallError =>
  new CallError('WRONG_PASSWORD', { message, fields: { [field]: message } });

/** A wrong password counts as a failed sign-in, so that a stolen session cannot be used to guess it. */
export async function checkOwnPassword(
  ctx: Ctx,
  account: Account,
  { password, challenge }: { password: string; challenge?: string | undefined },
  error = createOwnPasswordError(),
): Promise<void> {
  const attempt = await countSignInFailure(ctx, { account: account.name, challenge });
  if (!(await verifyPassword(ctx, account.passwordHash, password))) throw error;
  await attempt.revert();
}

export const clearSignInFailures = (ctx: Ctx, account: Account): Promise<void> =>
  removeFailures(ctx.db, account.name, addressGroup(ctx.requester.address));
