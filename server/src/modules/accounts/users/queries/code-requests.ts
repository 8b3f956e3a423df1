import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import type { CodeLimit } from '../rules/users.ts';
import { codeAsks, codeBudgets } from '../tables.ts';

type Way = (typeof codeBudgets.$inferSelect)['way'];

/** Returns false when a limit is exceeded; concurrent requests wait at the same row. */
export async function tryAddCodeRequest(
  db: Db,
  key: Buffer,
  limits: readonly CodeLimit[],
  now: Date,
): Promise<boolean> {
  const since = (windowMs: number) => sql`${new Date(now.getTime() - windowMs).toISOString()}::timestamptz`;
  const longest = Math.max(...limits.map(({ windowMs }) => windowMs));
  const hasCapacity = limits.map(
    ({ max, windowMs }) =>
      sql`(select count(*) from unnest(${codeAsks.askedAt}) as each (at) where at > ${since(windowMs)}) < ${max}`,
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
      setWhere: sql.join(hasCapacity, sql` and `),
    })
    .returning({ key: codeAsks.key });
  return rows.length > 0;
}

export async function listCodeRequests(db: Db, key: Buffer): Promise<Date[]> {
  const [row] = await db.select().from(codeAsks).where(eq(codeAsks.key, key));
  return row?.askedAt ?? [];
}

/** Returns the number of codes of the day including this one, or null when the budget is used up. */
export async function addToCodeBudget(db: Db, day: string, way: Way, budget: number): Promise<number | null> {
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

export async function getSentCount(db: Db, day: string, way: Way): Promise<number> {
  const [row] = await db
    .select({ sent: codeBudgets.sent })
    .from(codeBudgets)
    .where(and(eq(codeBudgets.day, day), eq(codeBudgets.way, way)));
  return row?.sent ?? 0;
}

export async function removeExpiredCodeRequests(db: Db, now: Date, today: string): Promise<void> {
  await db.delete(codeAsks).where(lt(codeAsks.expiresAt, now));
  await db.delete(codeBudgets).where(lt(codeBudgets.day, today));
}
