import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/reauth.ts';
import type { z } from 'zod';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { getAccount, lockAccount } from '../queries/accounts.ts';
import { findReauth, updateReauth } from '../queries/reauth.ts';
import { REAUTH_LIFE } from '../rules/users.ts';
import type { Account } from '../tables.ts';
import { ownTarget, takeCode } from './codes.ts';
import { countSignInFailure } from './guard.ts';
import { checkOwnPassword, forgetFailures } from './own-password.ts';
import { checkReauthTarget, reauthTargetsOf } from './require-reauth.ts';
import { checkTotp } from './sign-in.ts';
import { loggingFailures } from './sign-in-log.ts';

export async function getReauth(ctx: Ctx, viewer: Viewer): Promise<z.output<typeof calls.getReauth.output>> {
  const account = await getAccount(ctx.db, viewer.id);
  const targets = reauthTargetsOf(ctx, account);
  return {
    account: account.name,
    methods: targets.length === 0 ? ['password'] : ['password', 'code'],
    targets,
    totp: account.totpOn,
    until: (await findReauth(ctx.db, viewer.sessionId, ctx.now))?.toISOString() ?? null,
  };
}

type Proof = z.output<typeof calls.reauthenticate.input>;

/** Checks what was given; the function it returns uses it up, under the account's lock. */
async function checkProof(ctx: Ctx, account: Account, proof: Proof): Promise<(ctx: Ctx) => Promise<void>> {
  if (proof.method === 'password') {
    await checkOwnPassword(ctx, account, proof);
    return (ctx) => forgetFailures(ctx, account);
  }
  checkReauthTarget(ctx, account, proof.target);
  const guess = await countSignInFailure(ctx, { challenge: proof.challenge });
  const code = await takeCode(ctx, 'reauth', ownTarget(account.userId, proof.target), proof.code);
  await guess.takeBack();
  return code.spend;
}

/** For this session and some minutes only. With two-factor on, its code is needed as well, whatever the method. */
export const reauthenticate = (ctx: Ctx, viewer: Viewer, proof: Proof): Promise<Date> =>
  loggingFailures(ctx, viewer.account, () => confirm(ctx, viewer, proof));

async function confirm(ctx: Ctx, viewer: Viewer, proof: Proof): Promise<Date> {
  const account = await getAccount(ctx.db, viewer.id);
  const spend = await checkProof(ctx, account, proof);
  await checkTotp(ctx, account, proof.totp);
  const until = new Date(ctx.now.getTime() + REAUTH_LIFE);
  return inTx(ctx, async (ctx) => {
    const current = await lockAccount(ctx.db, viewer.id);
    if (current.passwordHash !== account.passwordHash) throw new CallError('WRONG_PASSWORD');
    await spend(ctx);
    if (!(await updateReauth(ctx.db, viewer.sessionId, until))) throw new CallError('SIGN_IN_REQUIRED');
    return until;
  });
}
