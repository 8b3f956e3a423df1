import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { sqlBoolean } from '../../../../db/rows.ts';
import { follows, type User, users } from '../tables.ts';

/** Locks these people for a change of their counters: always in one order, so that nobody waits in a circle. */
export async function lockUsers(db: Db, ids: string[]): Promise<User[]> {
  return db.select().from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update');
}

/** False when it was there already. */
export async function insertFollow(
  db: Db,
  follow: { followerId: string; userId: string; createdAt: Date },
): Promise<boolean> {
  const rows = await db
    .insert(follows)
    .values({ id: newId(), ...follow })
    .onConflictDoNothing({ target: [follows.followerId, follows.userId] })
    .returning({ id: follows.id });
  return rows.length > 0;
}

/** False when there was none. */
export async function removeFollow(db: Db, followerId: string, userId: string): Promise<boolean> {
  const rows = await db
    .delete(follows)
    .where(and(eq(follows.followerId, followerId), eq(follows.userId, userId)))
    .returning({ id: follows.id });
  return rows.length > 0;
}

export async function updateFollowCounts(
  db: Db,
  { followerId, userId, by, day }: { followerId: string; userId: string; by: 1 | -1; day: string },
): Promise<void> {
  await db
    .update(users)
    .set({
      followerCount: sql`${users.followerCount} + case when ${users.id} = ${userId} then ${by}::int else 0 end`,
      followingCount: sql`${users.followingCount} + case when ${users.id} = ${followerId} then ${by}::int else 0 end`,
    })
    .where(inArray(users.id, [followerId, userId]));
  await db.execute(sql`
    insert into user_days (user_id, day, followers) values (${userId}, ${day}::date, ${by})
    on conflict (user_id, day) do update set followers = user_days.followers + excluded.followers`);
}

export async function findFollow(db: Db, followerId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: follows.id })
    .from(follows)
    .where(and(eq(follows.followerId, followerId), eq(follows.userId, userId)));
  return rows.length > 0;
}

export interface FollowRow {
  id: string;
  createdAt: Date;
  user: User;
  /** By whoever asks. */
  followed: boolean;
}

/** Up to so many are counted one by one; of more nobody misses some. */
const MOST_COUNTED = 1000;

/** Who follows a user, or whom they follow, newest first. The counters on the user are the totals where nobody is left out. */
export function listFollows(
  db: Db,
  query: PageQuery & { of: User; type: 'follower' | 'following'; viewerId: string | null },
): Promise<Page<FollowRow>> {
  const [mine, theirs, total] =
    query.type === 'follower'
      ? [follows.userId, follows.followerId, query.of.followerCount]
      : [follows.followerId, follows.userId, query.of.followingCount];
  const followed =
    query.viewerId === null
      ? sqlBoolean`false`
      : sqlBoolean`exists (select 1 from follows as own where own.follower_id = ${query.viewerId} and own.user_id = ${users.id})`;
  // Whoever hides whom they follow is not given away by the lists of those.
  const isOpen =
    query.type === 'follower' && query.viewerId !== query.of.id
      ? sql`coalesce((${users.privacy} ->> 'follow')::boolean, true)`
      : undefined;
  return listPage(db, query, {
    select: db
      .select({ id: follows.id, createdAt: follows.createdAt, user: users, followed })
      .from(follows)
      .innerJoin(users, eq(users.id, theirs)),
    match: and(eq(mine, query.of.id), isOpen),
    id: follows.id,
    total: async () => {
      if (isOpen === undefined) return total;
      const some = db
        .select({ id: follows.id })
        .from(follows)
        .innerJoin(users, eq(users.id, theirs))
        .where(and(eq(mine, query.of.id), isOpen))
        .limit(MOST_COUNTED + 1)
        .as('some');
      const counted = await db.$count(some);
      return counted > MOST_COUNTED ? total : counted;
    },
    key: ({ id }) => [id],
  });
}

/** Takes these people out of the counters of all others, who are locked with them. */
export async function releaseFollows(db: Db, ids: string[]): Promise<void> {
  const leaving = sql`${sql.param(ids)}::uuid[]`;
  await db.execute(sql`
    select 1 from users where id = any(${leaving})
      or id in (select user_id from follows where follower_id = any(${leaving}))
      or id in (select follower_id from follows where user_id = any(${leaving}))
    order by id for update`);
  await db.execute(sql`
    update users set follower_count = follower_count - lost.count
    from (select user_id, count(*)::int as count from follows where follower_id = any(${leaving}) group by 1) as lost
    where id = lost.user_id`);
  await db.execute(sql`
    update users set following_count = following_count - lost.count
    from (select follower_id, count(*)::int as count from follows where user_id = any(${leaving}) group by 1) as lost
    where id = lost.follower_id`);
}

/** Both ways; the counters of the others were released before. */
export async function removeFollowsOf(db: Db, userId: string): Promise<void> {
  await db.delete(follows).where(or(eq(follows.followerId, userId), eq(follows.userId, userId)));
}
