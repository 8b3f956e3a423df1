import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { essays } from '../../../content/essays/tables.ts';
import { type RewardRow, rewards } from '../tables.ts';

/** False when it was written before, or when who gave it, or the essay, is gone. */
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

export interface ShownReward {
  reward: RewardRow;
  user: User;
}

export async function getReward(db: Db, id: string): Promise<ShownReward> {
  const [row] = await db
    .select({ reward: rewards, user: users })
    .from(rewards)
    .innerJoin(users, eq(users.id, rewards.userId))
    .where(eq(rewards.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这笔打赏' });
  return row;
}

/** Two answers, or an answer and a refund, come one after the other. */
export async function lockReward(db: Db, id: string): Promise<ShownReward> {
  await db.select({ id: rewards.id }).from(rewards).where(eq(rewards.id, id)).for('update');
  return getReward(db, id);
}

export async function updateReply(db: Db, id: string, reply: string, now: Date): Promise<void> {
  await db.update(rewards).set({ reply, repliedAt: now }).where(eq(rewards.id, id));
}

/** Whether something else given for the essay was answered. */
export async function hasOtherReply(db: Db, { id, essayId }: RewardRow): Promise<boolean> {
  const rows = await db
    .select({ id: rewards.id })
    .from(rewards)
    .where(and(eq(rewards.essayId, essayId), ne(rewards.id, id), isNotNull(rewards.repliedAt)))
    .limit(1);
  return rows.length > 0;
}

export function listRewards(db: Db, query: PageQuery & { essayId: string }): Promise<Page<ShownReward>> {
  return listPage(db, query, {
    select: db
      .select({ reward: rewards, user: users })
      .from(rewards)
      .innerJoin(users, eq(users.id, rewards.userId)),
    match: eq(rewards.essayId, query.essayId),
    id: rewards.id,
    total: async () => {
      const [essay] = await db
        .select({ count: essays.rewardCount })
        .from(essays)
        .where(eq(essays.id, query.essayId));
      return essay?.count ?? 0;
    },
    key: ({ reward }) => [reward.id],
  });
}

/** All that these people gave, who are locked, so that none of theirs comes after, and all for what they wrote. */
export async function removeRewardsAround(db: Db, userIds: string[]): Promise<RewardRow[]> {
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
