import { z } from 'zod';
import { chinaDayOf } from '../../../day.ts';
import type { Jobs } from '../../../jobs.ts';
import { codeRequestPayload, sendRequestedCode } from './actions/codes.ts';
import { indexUserNames } from './actions/names.ts';
import { expireSessions } from './actions/sessions.ts';
import { removeExpiredChanges } from './queries/account-changes.ts';
import { markBouncedAddress, removeExpiredSignInData } from './queries/accounts.ts';
import { removeExpiredAttempts } from './queries/attempts.ts';
import { removeExpiredCodeRequests } from './queries/code-requests.ts';
import { removeOldSignIns } from './queries/sign-ins.ts';
import { removeExpiredTokens } from './queries/tokens.ts';
import { EXPIRED_TOKEN_RETENTION, monthsBefore, SIGN_IN_LOG_MONTHS } from './rules/users.ts';

const bounce = z.object({ address: z.string(), reason: z.string() });

export const jobs: Jobs = {
  'mail-code': (ctx, payload) => sendRequestedCode(ctx, codeRequestPayload.parse(payload)),
  'expire-sign-ins': async (ctx) => {
    await removeExpiredSignInData(ctx.db, ctx.now);
    await removeExpiredChanges(ctx.db, ctx.now);
    await removeExpiredTokens(ctx.db, new Date(ctx.now.getTime() - EXPIRED_TOKEN_RETENTION));
    await removeExpiredCodeRequests(ctx.db, ctx.now, chinaDayOf(ctx.now));
    await removeExpiredAttempts(ctx.db, ctx.now);
    await expireSessions(ctx);
  },
  'index-people': indexUserNames,
  'expire-sign-in-log': (ctx) => removeOldSignIns(ctx.db, monthsBefore(ctx.now, SIGN_IN_LOG_MONTHS)),
  'mark-bounced-address': async (ctx, payload) => {
    const { address, reason } = bounce.parse(payload);
    await markBouncedAddress(ctx.db, address, reason);
  },
};
export const schedule = {
  'expire-sign-ins': '* * * * *',
  'index-people': '* * * * *',
  'expire-sign-in-log': '20 20 * * *',
};
