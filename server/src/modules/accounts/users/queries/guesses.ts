import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type GuessLimit, LONGEST_MEMORY, NETWORK_LIFE } from '../rules/users.ts';
import { guesses, signInNetworks } from '../tables.ts';

export interface GuessKey extends GuessLimit {
  key: string;
}

const at = (time: number) => sql`${new Date(time).toISOString()}::timestamptz`;

/** How many still count. */
const levelOf = ({ forgetMs }: GuessLimit, emptyAt: Date, now: Date): number =>
  Math.max(0, (emptyAt.getTime() - now.getTime()) / forgetMs);

/** Whether one more than what counts under these keys would be too many. */
export async function isGuessTooMany(db: Db, keys: readonly GuessKey[], now: Date): Promise<boolean> {
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
    return limit !== undefined && levelOf(limit, emptyAt, now) + 1 > limit.max;
  });
}

/** Counts a guess under each key, or with -1 takes one back; true: one of them is now over its limit. */
export async function addGuess(
  db: Db,
  keys: readonly GuessKey[],
  now: Date,
  count: 1 | -1 = 1,
): Promise<boolean> {
  const time = now.getTime();
  // Sorted, so that two at once never wait for each other in a circle.
  const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = await db
    .insert(guesses)
    .values(sorted.map(({ key, forgetMs }) => ({ key, emptyAt: new Date(time + count * forgetMs) })))
    .onConflictDoUpdate({
      target: guesses.key,
      set: {
        emptyAt: sql`least(
          greatest(${guesses.emptyAt}, ${at(time)}) + (excluded.empty_at - ${at(time)}), ${at(time + LONGEST_MEMORY)})`,
      },
    })
    .returning();
  return rows.some(({ key, emptyAt }) => {
    const limit = keys.find((each) => each.key === key);
    return limit !== undefined && levelOf(limit, emptyAt, now) > limit.max;
  });
}

/** Counts a guess unless there were too many; how many that makes, or null: it is not to be looked at. */
export async function takeGuess(db: Db, { key, max, forgetMs }: GuessKey, now: Date): Promise<number | null> {
  const time = now.getTime();
  const next = sql`greatest(${guesses.emptyAt}, ${at(time)}) + (excluded.empty_at - ${at(time)})`;
  const [row] = await db
    .insert(guesses)
    .values({ key, emptyAt: new Date(time + forgetMs) })
    .onConflictDoUpdate({
      target: guesses.key,
      set: { emptyAt: next },
      setWhere: sql`${next} <= ${at(time + max * forgetMs)}`,
    })
    .returning();
  return row === undefined ? null : Math.ceil(levelOf({ max, forgetMs }, row.emptyAt, now));
}

export async function removeGuesses(db: Db, key: string): Promise<void> {
  await db.delete(guesses).where(eq(guesses.key, key));
}

export async function insertNetwork(db: Db, userId: string, network: string, now: Date): Promise<void> {
  await db
    .insert(signInNetworks)
    .values({ userId, network, seenAt: now })
    .onConflictDoUpdate({
      target: [signInNetworks.userId, signInNetworks.network],
      set: { seenAt: now },
    });
}

export async function hasNetwork(db: Db, userId: string, network: string): Promise<boolean> {
  const rows = await db
    .select({ network: signInNetworks.network })
    .from(signInNetworks)
    .where(and(eq(signInNetworks.userId, userId), eq(signInNetworks.network, network)));
  return rows.length > 0;
}

export async function removeOldGuesses(db: Db, now: Date): Promise<void> {
  await db.delete(guesses).where(lt(guesses.emptyAt, now));
  await db.delete(signInNetworks).where(lt(signInNetworks.seenAt, new Date(now.getTime() - NETWORK_LIFE)));
}
