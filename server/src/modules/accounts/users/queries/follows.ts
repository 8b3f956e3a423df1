import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { sqlBoolean } from '../../../../db/rows.ts';
import { follows, type User, users } from '../tables.ts';

/** Locks users in the order of their ids, which prevents deadlocks. */
export async function lockUsers(db: Db, ids: string[]): Promise<User[]> {
  return db.select().from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update');
}

/** Returns false when the follow existed. */
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

/** Returns false when there was none. */
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

export async function isFollowing(db: Db, followerId: string, userId: string): Promise<boolean> {
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
  /** Whether the viewer follows this user. */
  followed: boolean;
}

/** Totals above this use the counter, which may include hidden users. */
const MAX_EXACT_COUNT = 1000;

/** Lists followers or followed users, newest first. Without hidden users, the user's counter is the total. */
export function listFollows(
  db: Db,
  query: PageQuery & { of: User; type: 'follower' | 'following'; viewerId: string | null },
): Promise<Page<FollowRow>> {
  const [ownColumn, otherColumn, total] =
    query.type === 'follower'
      ? [follows.userId, follows.followerId, query.of.followerCount]
      : [follows.followerId, follows.userId, query.of.followingCount];
  const followed =
    query.viewerId === null
      ? sqlBoolean`false`
      : sqlBoolean`exists (select 1 from follows as own where own.follower_id = ${query.viewerId} and own.user_id = ${users.id})`;
  // Users who hide whom they follow do not appear in follower lists of others.
  const isListed =
    query.type === 'follower' && query.viewerId !== query.of.id
      ? sql`coalesce((${users.privacy} ->> 'follow')::boolean, true)`
      : undefined;
  return listPage(db, query, {
    select: db
      .select({ id: follows.id, createdAt: follows.createdAt, user: users, followed })
      .from(follows)
      .innerJoin(users, eq(users.id, otherColumn)),
    match: and(eq(ownColumn, query.of.id), isListed),
    id: follows.id,
    total: async () => {
      if (isListed === undefined) return total;
      const listed = db
        .select({ id: follows.id })
        .from(follows)
        .innerJoin(users, eq(users.id, otherColumn))
        .where(and(eq(ownColumn, query.of.id), isListed))
        .limit(MAX_EXACT_COUNT + 1)
        .as('listed');
      const counted = await db.$count(listed);
      return counted > MAX_EXACT_COUNT ? total : counted;
    },
    key: ({ id }) => [id],
  });
}

/** Call before these users are deleted: corrects the counters of all others, under lock. */
export async function purgeFollowCounts(db: Db, ids: string[]): Promise<void> {
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

/** Removes follows in both directions; call `purgeFollowCounts` before. */
export async function removeAllFollowsOf(db: Db, userId: string): Promise<void> {
  await db.delete(follows).where(or(eq(follows.followerId, userId), eq(follows.userId, userId)));
}
