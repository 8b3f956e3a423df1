import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { smsLimits } from '../rules.ts';
import { smsAsks } from '../tables.ts';

const LONGEST = Math.max(...smsLimits.map(({ per }) => per));

/** Counts one more for this number; false: there were too many. Two at once wait at the one row. */
export async function addSmsAsk(db: Db, phone: string, now: Date): Promise<boolean> {
  const since = (per: number) => sql`${new Date(now.getTime() - per).toISOString()}::timestamptz`;
  const isFree = smsLimits.map(
    ({ max, per }) =>
      sql`(select count(*) from unnest(${smsAsks.askedAt}) as each (at) where at > ${since(per)}) < ${max}`,
  );
  const expiresAt = new Date(now.getTime() + LONGEST);
  const rows = await db
    .insert(smsAsks)
    .values({ phone, askedAt: [now], expiresAt })
    .onConflictDoUpdate({
      target: smsAsks.phone,
      set: {
        askedAt: sql`array(select at from unnest(${smsAsks.askedAt}) as each (at) where at > ${since(LONGEST)})
          || excluded.asked_at`,
        expiresAt,
      },
      setWhere: sql.join(isFree, sql` and `),
    })
    .returning({ phone: smsAsks.phone });
  return rows.length > 0;
}

export async function findSmsAsks(db: Db, phone: string): Promise<Date[]> {
  const [row] = await db.select().from(smsAsks).where(eq(smsAsks.phone, phone));
  return row?.askedAt ?? [];
}
