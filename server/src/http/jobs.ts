import { sql } from 'drizzle-orm';
import type { Jobs } from '../jobs.ts';

export const jobs: Jobs = {
  /** Deletes expired stored responses and rate-limit counts. */
  'expire-requests': async (ctx) => {
    await ctx.db.execute(sql`
      delete from requests where created_at < ${ctx.now.toISOString()}::timestamptz - interval '24 hours'`);
    await ctx.db.execute(sql`delete from rate_limits where ends_at < ${ctx.now.toISOString()}::timestamptz`);
  },
};
export const schedule = { 'expire-requests': '*/10 * * * *' };
