import { inTx } from '../../ctx.ts';
import type { Jobs } from '../../jobs.ts';
import { codeRequest, mailRequestedCode } from './actions/password.ts';
import { removeExpired } from './queries/accounts.ts';
import { removeExpiredSessions } from './queries/sessions.ts';

export const jobs: Jobs = {
  'mail-code': (ctx, payload) => mailRequestedCode(ctx, codeRequest.parse(payload)),
  'expire-sign-ins': async (ctx) => {
    await removeExpired(ctx.db, ctx.now);
    const ended = await inTx(ctx, (ctx) => removeExpiredSessions(ctx.db, ctx.now));
    ctx.services.live.endSessions(ended);
  },
};
export const schedule = { 'expire-sign-ins': '* * * * *' };
