import type { Reward } from '@mozhan/contract/rewards.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { RewardWithUser } from '../queries/rewards.ts';

export const toReward = ({ reward, user }: RewardWithUser, now: Date): Reward => ({
  id: reward.id,
  essayId: reward.essayId,
  user: toUserCard(user, now),
  amount: reward.amount,
  message: reward.message,
  reply: reward.reply,
  repliedAt: reward.repliedAt?.toISOString() ?? null,
  createdAt: reward.createdAt.toISOString(),
});
