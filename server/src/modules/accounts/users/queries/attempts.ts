import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type AttemptLimit, KNOWN_NETWORK_LIFETIME, MAX_ATTEMPT_MEMORY } from '../rules/users.ts';
import { guesses, signInNetworks } from '../tables.ts';

export interface AttemptKey extends AttemptLimit {
  key: string;
}

const toTimestamp = (time: number) => sql`${new Date(time).toISOString()}::timestamptz`;

/** The number of attempts that have not decayed. */
const countActive = ({ decayMs }: AttemptLimit, emptyAt: Date, now: Date): number =>
  Math.max(0, (emptyAt.getTime() - now.getTime()) / decayMs);

/** Whether one more attempt would exceed the limit of a key. */
export async function isAttemptLimitReached(
  db: Db,
  keys: readonly AttemptKey[],
  now: Date,
): Promise<boolean> {
  const rows = await db
    .select()
    .from(guesses)
    .where(
      inArray(
        guesses.key,
        keys.map(({ key }) => key),
      ),
    );
  return rows.some(({ key, emptyAt }) => {
    const limit = keys.find((each) => each.key === key);
    return limit !== undefined && countActive(limit, emptyAt, now) + 1 > limit.max;
  });
}

/** Counts an attempt under each key, or reverts one with -1; returns whether a limit is exceeded. */
export async function addAttempt(
  db: Db,
  keys: readonly AttemptKey[],
  now: Date,
  count: 1 | -1 = 1,
): Promise<boolean> {
  const time = now.getTime();
  // Sorted, to prevent deadlocks.
  const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await db
    .insert(guesses)
    .values(sorted.map(({ key, decayMs }) => ({ key, emptyAt: new Date(time + count * decayMs) })))
    .onConflictDoUpdate({
      target: guesses.key,
      set: {
        emptyAt: sql`least(
          greatest(${guesses.emptyAt}, ${toTimestamp(time)}) + (excluded.empty_at - ${toTimestamp(time)}), ${toTimestamp(time + MAX_ATTEMPT_MEMORY)})`,
      },
    })
    .returning();
  return rows.some(({ key, emptyAt }) => {
    const limit = keys.find((each) => each.key === key);
    return limit !== undefined && countActive(limit, emptyAt, now) > limit.max;
  });
}

/** Counts an attempt and returns the new number, or null when the limit was reached before. */
export async function tryAddAttempt(
  db: Db,
  { key, max, decayMs }: AttemptKey,
  now: Date,
): Promise<number | null> {
  const time = now.getTime();
  const next = sql`greatest(${guesses.emptyAt}, ${toTimestamp(time)}) + (excluded.empty_at - ${toTimestamp(time)})`;
  const [row] = await db
    .insert(guesses)
    .values({ key, emptyAt: new Date(time + decayMs) })
    .onConflictDoUpdate({
      target: guesses.key,
      set: { emptyAt: next },
      setWhere: sql`${next} <= ${toTimestamp(time + max * decayMs)}`,
    })
    .returning();
  return row === undefined ? null : Math.ceil(countActive({ max, decayMs }, row.emptyAt, now));
}

export async function removeAttempts(db: Db, key: string): Promise<void> {
  await db.delete(guesses).where(eq(guesses.key, key));
}

export async function saveSignInNetwork(db: Db, userId: string, network: string, now: Date): Promise<void> {
  await db
    .insert(signInNetworks)
    .values({ userId, network, seenAt: now })
    .onConflictDoUpdate({
      target: [signInNetworks.userId, signInNetworks.network],
      set: { seenAt: now },
    });
}

export async function isKnownNetwork(db: Db, userId: string, network: string): Promise<boolean> {
  const rows = await db
    .select({ network: signInNetworks.network })
    .from(signInNetworks)
    .where(and(eq(signInNetworks.userId, userId), eq(signInNetworks.network, network)));
  return rows.length > 0;
}

export async function removeExpiredAttempts(db: Db, now: Date): Promise<void> {
  await db.delete(guesses).where(lt(guesses.emptyAt, now));
  await db
    .delete(signInNetworks)
    .where(lt(signInNetworks.seenAt, new Date(now.getTime() - KNOWN_NETWORK_LIFETIME)));
}
