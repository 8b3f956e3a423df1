import { inTx } from '../../ctx.ts';
import type { Jobs } from '../../jobs.ts';
import { codeRequest, sendRequestedCode } from './actions/codes.ts';
import { indexPeople } from './actions/names.ts';
import { removeExpired } from './queries/accounts.ts';
import { removeExpiredSessions } from './queries/sessions.ts';
import { removeExpiredTokens } from './queries/tokens.ts';
import { EXPIRED_TOKEN_LIFE } from './rules.ts';

export const jobs: Jobs = {
  'mail-code': (ctx, payload) => sendRequestedCode(ctx, codeRequest.parse(payload)),
  'expire-sign-ins': async (ctx) => {
    await removeExpired(ctx.db, ctx.now);
    await removeExpiredTokens(ctx.db, new Date(ctx.now.getTime() - EXPIRED_TOKEN_LIFE));
    const ended = await inTx(ctx, (ctx) => removeExpiredSessions(ctx.db, ctx.now));
    ctx.services.live.endSessions(ended);
  },
  'index-people': indexPeople,
};
export const schedule = { 'expire-sign-ins': '* * * * *', 'index-people': '* * * * *' };
