import { type StarRange, starWeights } from '@mozhan/contract/code-stars.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { accounts, type User, users } from '../../../accounts/users/tables.ts';
import { essayDays, essays } from '../../essays/tables.ts';
import { type StarPickRow, type StarRank, starPicks, starRankings, starRanks } from '../tables.ts';

const MAX_RANKS = 100;

/** Allows one computation at a time without blocking readers. */
export async function lockRanks(db: Db): Promise<void> {
  await db.execute(sql`lock table star_ranks in share row exclusive mode`);
}

export const hasRankings = async (db: Db): Promise<boolean> => (await db.$count(starRankings)) > 0;

/** Sums per author over essays on the shelf, since a day or for all time. */
const sumsSince = (day: string | null) =>
  day === null
    ? sql`
      select author_id, sum(read_count) as reads, sum(like_count) as likes, sum(collect_count) as collects,
        sum(reward_count) as rewards
      from ${essays} where status = ${ESSAY_STATUS.onShelf} group by 1`
    : sql`
      select author_id, sum(essay_days.reads) as reads, sum(essay_days.likes) as likes,
        sum(essay_days.collects) as collects, sum(essay_days.rewards) as rewards
      from ${essayDays} join ${essays} on essays.id = essay_days.essay_id and status = ${ESSAY_STATUS.onShelf}
      where essay_days.day >= ${day}::date group by 1`;

/** Recomputes a range. Ties are sorted by account age; authors with a score of 0 are omitted. */
export async function replaceRanks(db: Db, range: StarRange, since: string | null, now: Date): Promise<void> {
  await db.delete(starRanks).where(eq(starRanks.range, range));
  await db.execute(sql`
    insert into star_ranks (range, rank, user_id, score, reads, likes, collects, rewards)
    select ${range}, row_number() over best, users.id, score, reads, likes, collects, rewards
    from (
      select *, ${starWeights.reads}::int * reads + ${starWeights.likes}::int * likes
        + ${starWeights.collects}::int * collects + ${starWeights.rewards}::int * rewards as score
      from (${sumsSince(since)}) as figures
    ) as scored
    join users on users.id = author_id
    join accounts on accounts.user_id = author_id and accounts.enabled
    where score > 0
    window best as (order by score desc, users.created_at, users.id)
    order by row_number() over best limit ${MAX_RANKS}`);
  await db
    .insert(starRankings)
    .values({ range, computedAt: now })
    .onConflictDoUpdate({ target: starRankings.range, set: { computedAt: now } });
}

export interface RankRow {
  star: StarRank;
  user: User;
  computedAt: Date;
}

const isEnabled = and(eq(accounts.userId, users.id), eq(accounts.enabled, true));
/** Omits authors who have lost all essays or were disabled since the computation. */
export const listRanks = (db: Db, range: StarRange, limit: number): Promise<RankRow[]> =>
  db
    .select({ star: starRanks, user: users, computedAt: starRankings.computedAt })
    .from(starRanks)
    .innerJoin(starRankings, eq(starRankings.range, starRanks.range))
    .innerJoin(users, and(eq(users.id, starRanks.userId), gt(users.essayCount, 0)))
    .innerJoin(accounts, isEnabled)
    .where(eq(starRanks.range, range))
    .orderBy(asc(starRanks.rank))
    .limit(limit);

export async function findComputedAt(db: Db, range: StarRange): Promise<Date | null> {
  const [row] = await db.select().from(starRankings).where(eq(starRankings.range, range));
  return row?.computedAt ?? null;
}

export interface PickRow {
  pick: StarPickRow;
  user: User;
}

export const listPicks = (db: Db): Promise<PickRow[]> =>
  db
    .select({ pick: starPicks, user: users })
    .from(starPicks)
    .innerJoin(users, eq(users.id, starPicks.userId))
    .innerJoin(accounts, isEnabled)
    .orderBy(asc(starPicks.sort), asc(starPicks.userId));

export async function lockPicks(db: Db): Promise<void> {
  await db.execute(sql`lock table star_picks in share row exclusive mode`);
}

export async function findPick(db: Db, userId: string): Promise<StarPickRow | null> {
  const [pick] = await db.select().from(starPicks).where(eq(starPicks.userId, userId));
  return pick ?? null;
}

export const countPicks = (db: Db): Promise<number> => db.$count(starPicks);

export async function upsertPick(db: Db, pick: StarPickRow): Promise<void> {
  await db.insert(starPicks).values(pick).onConflictDoUpdate({ target: starPicks.userId, set: pick });
}

export async function removePick(db: Db, userId: string): Promise<void> {
  await db.delete(starPicks).where(eq(starPicks.userId, userId));
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return user ?? null;
}
