import { dayOf } from '../../../day.ts';
import type { Jobs } from '../../../jobs.ts';
import { codeRequest, sendRequestedCode } from './actions/codes.ts';
import { indexPeople } from './actions/names.ts';
import { expireSessions } from './actions/sessions.ts';
import { removeExpiredChanges } from './queries/account-changes.ts';
import { removeExpired } from './queries/accounts.ts';
import { removeOldAsks } from './queries/code-asks.ts';
import { removeOldGuesses } from './queries/guesses.ts';
import { removeExpiredTokens } from './queries/tokens.ts';
import { EXPIRED_TOKEN_LIFE } from './rules/users.ts';

export const jobs: Jobs = {
  'mail-code': (ctx, payload) => sendRequestedCode(ctx, codeRequest.parse(payload)),
  'expire-sign-ins': async (ctx) => {
    await removeExpired(ctx.db, ctx.now);
    await removeExpiredChanges(ctx.db, ctx.now);
    await removeExpiredTokens(ctx.db, new Date(ctx.now.getTime() - EXPIRED_TOKEN_LIFE));
    await removeOldAsks(ctx.db, ctx.now, dayOf(ctx.now));
    await removeOldGuesses(ctx.db, ctx.now);
    await expireSessions(ctx);
  },
  'index-people': indexPeople,
};
export const schedule = { 'expire-sign-ins': '* * * * *', 'index-people': '* * * * *' };
