import type { Jobs } from '../../jobs.ts';
import { removeExpired } from './queries/accounts.ts';
import { removeExpiredSessions } from './queries/sessions.ts';

export const jobs: Jobs = {
  'expire-sign-ins': async (ctx) => {
    await removeExpired(ctx.db, ctx.now);
    await removeExpiredSessions(ctx.db, ctx.now);
  },
};
export const schedule = { 'expire-sign-ins': '* * * * *' };
