import { sql } from 'drizzle-orm';
import type { Jobs } from '../jobs.ts';

export const jobs: Jobs = {
  /** Results kept for repeated requests, and counts of limits, whose time is over. */
  'expire-requests': async (ctx) => {
    await ctx.db.execute(sql`
      delete from requests where created_at < ${ctx.now.toISOString()}::timestamptz - interval '24 hours'`);
    await ctx.db.execute(sql`delete from rate_limits where ends_at < ${ctx.now.toISOString()}::timestamptz`);
  },
};
export const schedule = { 'expire-requests': '*/10 * * * *' };
