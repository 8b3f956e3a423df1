import { CallError } from '@mozhan/contract/errors.ts';
import { and, desc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { essays } from '../../../content/essays/tables.ts';
import { type RewardRow, rewards } from '../tables.ts';

/** Returns false if the reward exists, or if the giver or the essay was deleted. */
export async function insertReward(
  db: Db,
  { id, orderId, userId, essayId, amount, message, createdAt }: Omit<RewardRow, 'reply' | 'repliedAt'>,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into rewards (id, order_id, user_id, essay_id, amount, message, created_at)
    select ${id}::uuid, ${orderId}::uuid, users.id, essays.id, ${amount}::int, ${message},
      ${createdAt.toISOString()}::timestamptz
    from users, essays where users.id = ${userId} and essays.id = ${essayId}
    on conflict do nothing`);
  return rowCount === 1;
}

export async function removeReward(db: Db, orderId: string): Promise<RewardRow | null> {
  const [reward] = await db.delete(rewards).where(eq(rewards.orderId, orderId)).returning();
  return reward ?? null;
}

export interface RewardWithUser {
  reward: RewardRow;
  user: User;
}

export async function getReward(db: Db, id: string): Promise<RewardWithUser> {
  const [row] = await db
    .select({ reward: rewards, user: users })
    .from(rewards)
    .innerJoin(users, eq(users.id, rewards.userId))
    .where(eq(rewards.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这笔打赏' });
  return row;
}

/** Serialises replies and refunds. */
export async function lockReward(db: Db, id: string): Promise<RewardWithUser> {
  await db.select({ id: rewards.id }).from(rewards).where(eq(rewards.id, id)).for('update');
  return getReward(db, id);
}

export async function updateReply(db: Db, id: string, reply: string, now: Date): Promise<void> {
  await db.update(rewards).set({ reply, repliedAt: now }).where(eq(rewards.id, id));
}

export async function hasOtherReply(db: Db, { id, essayId }: RewardRow): Promise<boolean> {
  const rows = await db
    .select({ id: rewards.id })
    .from(rewards)
    .where(and(eq(rewards.essayId, essayId), ne(rewards.id, id), isNotNull(rewards.repliedAt)))
    .limit(1);
  return rows.length > 0;
}

/** Newest first; an index has this order, so the planner need not know the limit. */
export function createRewardsQuery(
  db: Db,
): (query: { essayId: string; before: string; offset: number; limit: number }) => Promise<RewardWithUser[]> {
  const query = db
    .select({ reward: rewards, user: users })
    .from(rewards)
    .innerJoin(users, eq(users.id, rewards.userId))
    .where(
      and(
        eq(rewards.essayId, sql.placeholder('essayId')),
        sql`${rewards.id} < ${sql.placeholder('before')}::uuid`,
      ),
    )
    .orderBy(desc(rewards.id))
    .offset(sql.placeholder('offset'))
    .limit(sql.placeholder('limit'))
    .prepare('rewards_of_essay');
  return (values) => query.execute(values);
}

/** Removes rewards given by these users or for their essays; locks the users, so that no reward is added later. */
export async function removeRewardsOfUsers(db: Db, userIds: string[]): Promise<RewardRow[]> {
  const theirs = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  return db
    .delete(rewards)
    .where(or(inArray(rewards.userId, userIds), inArray(rewards.essayId, theirs)))
    .returning();
}
