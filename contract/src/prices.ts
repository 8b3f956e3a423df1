import { z } from 'zod';
import { done, flag, id } from './common.ts';
import { defineCall } from './define.ts';

/** An amount given by a user. */
export const fen = z.int({ error: ({ code }) => (code === 'invalid_type' ? '请填写整数（分）' : undefined) });

/** Limits in fen that the settings cannot exceed. */
export const REWARD_LIMITS = { min: 100, max: 50_000 } as const;
export const RECHARGE_LIMITS = { min: 100, max: 1_000_000 } as const;

/** Tiers are suggested amounts; any other amount within the limits is also valid. */
const tierKind = z.enum(['read', 'reward', 'recharge']).meta({ title: '用途' });
export type TierKind = z.output<typeof tierKind>;

const tierFields = z.object({
  kind: tierKind,
  amount: fen.min(100).max(1_000_000).meta({ title: '金额（分）' }),
  sort: z.int().min(0).max(9999).meta({ title: '次序' }),
  enabled: flag.meta({ title: '启用' }),
});
export const tier = tierFields.extend({ id });
export type Tier = z.output<typeof tier>;

/** A change does not affect existing orders. */
export const priceRules = z.object({
  rewardMin: z.int().min(REWARD_LIMITS.min).max(REWARD_LIMITS.max).meta({ title: '打赏最少（分）' }),
  rewardMax: z.int().min(REWARD_LIMITS.min).max(REWARD_LIMITS.max).meta({ title: '打赏最多（分）' }),
  rechargeMin: z.int().min(RECHARGE_LIMITS.min).max(RECHARGE_LIMITS.max).meta({ title: '充值最少（分）' }),
  rechargeMax: z.int().min(RECHARGE_LIMITS.min).max(RECHARGE_LIMITS.max).meta({ title: '充值最多（分）' }),
  commissionPercent: z.int().min(0).max(90).meta({ title: '平台服务费（%）' }),
  withdrawMin: z.int().min(100).max(1_000_000).meta({ title: '提现最少（分）' }),
  refundDays: z.int().min(0).max(365).meta({ title: '可退款的天数' }),
  inviteDays: z
    .int()
    .min(0)
    .max(366)
    .meta({ title: '邀请奖励（天）', description: '被邀请的人第一次付款后，双方各得的会员天数；0 为不奖励' }),
});
export type PriceRules = z.output<typeof priceRules>;

export const payBy = z.enum(['balance', 'alipay', 'wechat', 'sandbox']).meta({ title: '支付方式' });
export type PayBy = z.output<typeof payBy>;

export const prices = priceRules.extend({
  tiers: z.array(tier).meta({ description: '建议的金额，按用途与次序；工作人员也看到停用的' }),
  payBy: z.array(payBy).meta({ description: '本站现在可用的支付方式' }),
});
export type Prices = z.output<typeof prices>;

export const getPrices = defineCall({
  method: 'GET',
  path: 'core/fina/price/',
  summary: '价格设置：建议的金额、上下限、平台服务费、可用的支付方式',
  access: 'anyone',
  input: z.object({}),
  output: prices,
});

export const createTier = defineCall({
  method: 'POST',
  path: 'core/fina/price/',
  summary: '新增一档建议的金额',
  access: 'price:create',
  input: tierFields.partial({ sort: true, enabled: true }),
  output: tier,
  errors: ['TIER_TAKEN'],
});

export const updatePrices = defineCall({
  method: 'PUT',
  path: 'core/fina/price/',
  summary: '带 id：修改那一档金额；否则修改价格设置。只改所给的',
  access: 'price:update',
  input: tierFields
    .omit({ kind: true })
    .partial()
    .extend(priceRules.partial().shape)
    .extend({ id: id.optional() }),
  output: prices,
  errors: ['TIER_TAKEN'],
});

export const removeTier = defineCall({
  method: 'DELETE',
  path: 'core/fina/price/',
  summary: '删除一档建议的金额',
  access: 'price:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [getPrices, createTier, updatePrices, removeTier] as const;
