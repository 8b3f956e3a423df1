import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import type { CodeLimit } from '../rules/users.ts';
import { codeAsks, codeBudgets } from '../tables.ts';

type Way = (typeof codeBudgets.$inferSelect)['way'];

/** Counts one more under the key; false: there were too many. Two at once wait at the one row. */
export async function addAsk(db: Db, key: Buffer, limits: readonly CodeLimit[], now: Date): Promise<boolean> {
  const since = (per: number) => sql`${new Date(now.getTime() - per).toISOString()}::timestamptz`;
  const longest = Math.max(...limits.map(({ per }) => per));
  const isFree = limits.map(
    ({ max, per }) =>
      sql`(select count(*) from unnest(${codeAsks.askedAt}) as each (at) where at > ${since(per)}) < ${max}`,
  );
  const expiresAt = new Date(now.getTime() + longest);
  const rows = await db
    .insert(codeAsks)
    .values({ key, askedAt: [now], expiresAt })
    .onConflictDoUpdate({
      target: codeAsks.key,
      set: {
        askedAt: sql`array(select at from unnest(${codeAsks.askedAt}) as each (at) where at > ${since(longest)})
          || excluded.asked_at`,
        expiresAt,
      },
      setWhere: sql.join(isFree, sql` and `),
    })
    .returning({ key: codeAsks.key });
  return rows.length > 0;
}

export async function findAsks(db: Db, key: Buffer): Promise<Date[]> {
  const [row] = await db.select().from(codeAsks).where(eq(codeAsks.key, key));
  return row?.askedAt ?? [];
}

/** Counts one more code of the day; how many that makes, or null when the budget is spent. */
export async function addToBudget(db: Db, day: string, way: Way, budget: number): Promise<number | null> {
  const [row] = await db
    .insert(codeBudgets)
    .values({ day, way, sent: 1 })
    .onConflictDoUpdate({
      target: [codeBudgets.day, codeBudgets.way],
      set: { sent: sql`${codeBudgets.sent} + 1` },
      setWhere: lt(codeBudgets.sent, budget),
    })
    .returning({ sent: codeBudgets.sent });
  return row?.sent ?? null;
}

export async function findSent(db: Db, day: string, way: Way): Promise<number> {
  const [row] = await db
    .select({ sent: codeBudgets.sent })
    .from(codeBudgets)
    .where(and(eq(codeBudgets.day, day), eq(codeBudgets.way, way)));
  return row?.sent ?? 0;
}

export async function removeOldAsks(db: Db, now: Date, today: string): Promise<void> {
  await db.delete(codeAsks).where(lt(codeAsks.expiresAt, now));
  await db.delete(codeBudgets).where(lt(codeBudgets.day, today));
}
