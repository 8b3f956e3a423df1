import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../../../../address.ts';
import type { Ctx } from '../../../../ctx.ts';
import { removeFailures } from '../queries/accounts.ts';
import { verifyPassword } from '../secrets.ts';
import type { Account } from '../tables.ts';
import { countSignInFailure } from './guard.ts';

export const wrongOwnPassword = (field = 'password', message = '密码不对'): CallError =>
  new CallError('WRONG_PASSWORD', { message, fields: { [field]: message } });

/** A wrong password of somebody signed in counts as a failed sign-in: a stolen session is no way to guess it. */
export async function checkOwnPassword(
  ctx: Ctx,
  account: Account,
  { password, challenge }: { password: string; challenge?: string | undefined },
  wrong = wrongOwnPassword(),
): Promise<void> {
  const guess = await countSignInFailure(ctx, { account: account.name, challenge });
  if (!(await verifyPassword(ctx, account.passwordHash, password))) throw wrong;
  await guess.takeBack();
}

export const forgetFailures = (ctx: Ctx, account: Account): Promise<void> =>
  removeFailures(ctx.db, account.name, addressGroup(ctx.asker.address));
