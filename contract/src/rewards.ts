import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { order, orderErrors, wechatCode } from './orders.ts';
import { fen, payBy, REWARD_LIMITS } from './prices.ts';
import { userCard } from './users.ts';

const reward = z.object({
  id,
  essayId: id,
  user: userCard,
  amount: z.int(),
  message: z.string(),
  reply: z.string(),
  repliedAt: time.nullable(),
  createdAt: time,
});
export type Reward = z.output<typeof reward>;

const essayId = id.meta({ title: '文章' });

export const listRewards = defineCall({
  method: 'GET',
  path: 'core/essay/reward',
  summary: '一篇文章的打赏，新的在前；退款的不在其中',
  access: 'anyone',
  input: listInput.extend({ essayId }),
  output: pageOf(reward),
  errors: ['GONE'],
});

export const createReward = defineCall({
  method: 'POST',
  path: 'core/essay/reward',
  summary: '打赏：下一张订单；用余额时当场付清',
  access: 'user',
  feature: 'rewards',
  input: z.object({
    essayId,
    amount: fen.min(REWARD_LIMITS.min).max(REWARD_LIMITS.max).meta({ title: '金额（分）' }),
    message: z.string().trim().max(100).default('').meta({ title: '留言' }),
    payBy,
    wechatCode,
  }),
  output: order,
  errors: [...orderErrors, 'WORDS_REFUSED'],
  limit: { max: 600, per: 3600 },
});

export const replyReward = defineCall({
  method: 'PUT',
  path: 'core/essay/reward',
  summary: '作者回复一笔打赏；再写一次为修改',
  access: 'user',
  input: z.object({
    id,
    reply: z.string().trim().min(1).max(200).meta({ title: '回复' }),
  }),
  output: reward,
  errors: ['WORDS_REFUSED'],
});

export const calls = [listRewards, createReward, replyReward] as const;
