import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/reauth.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { getAccount, lockAccount } from '../queries/accounts.ts';
import { findReauthUntil, updateReauthUntil } from '../queries/reauth.ts';
import { REAUTH_LIFETIME } from '../rules/users.ts';
import type { Account } from '../tables.ts';
import { toOwnCodeTarget, verifyCode } from './codes.ts';
import { checkOwnPassword, clearSignInFailures } from './own-password.ts';
import { checkReauthTarget, getReauthTargets } from './require-reauth.ts';
import { checkTotp } from './sign-in.ts';
import { countSignInFailure } from './sign-in-limits.ts';
import { withFailureLog } from './sign-in-log.ts';

export async function getReauthState(
  ctx: Ctx,
  viewer: Viewer,
): Promise<z.output<typeof calls.getReauth.output>> {
  const account = await getAccount(ctx.db, viewer.id);
  const targets = getReauthTargets(ctx, account);
  return {
    account: account.name,
    methods: targets.length === 0 ? ['password'] : ['password', 'code'],
    targets,
    totp: account.totpOn,
    until: (await findReauthUntil(ctx.db, viewer.sessionId, ctx.now))?.toISOString() ?? null,
  };
}

type Proof = z.output<typeof calls.reauthenticate.input>;

/** Checks the proof; the returned function consumes it and must run under the account's lock. */
async function checkProof(ctx: Ctx, account: Account, proof: Proof): Promise<(ctx: Ctx) => Promise<void>> {
  if (proof.method === 'password') {
    await checkOwnPassword(ctx, account, proof);
    return (ctx) => clearSignInFailures(ctx, account);
  }
  checkReauthTarget(ctx, account, proof.target);
  const attempt = await countSignInFailure(ctx, { challenge: proof.challenge });
  const code = await verifyCode(ctx, 'reauth', toOwnCodeTarget(account.userId, proof.target), proof.code);
  await attempt.revert();
  return code.consume;
}

/** Valid for this session and a few minutes. Accounts with two-factor need its code for every method. */
export const reauthenticate = (ctx: Ctx, viewer: Viewer, proof: Proof): Promise<Date> =>
  withFailureLog(ctx, 'reauth', viewer.account, () => confirm(ctx, viewer, proof));

async function confirm(ctx: Ctx, viewer: Viewer, proof: Proof): Promise<Date> {
  const account = await getAccount(ctx.db, viewer.id);
  const consume = await checkProof(ctx, account, proof);
  await checkTotp(ctx, account, proof.totp);
  const until = new Date(ctx.now.getTime() + REAUTH_LIFETIME);
  return inTransaction(ctx, async (ctx) => {
    const current = await lockAccount(ctx.db, viewer.id);
    if (current.passwordHash !== account.passwordHash) throw new CallError('WRONG_PASSWORD');
    await consume(ctx);
    if (!(await updateReauthUntil(ctx.db, viewer.sessionId, until))) throw new CallError('SIGN_IN_REQUIRED');
    return until;
  });
}
