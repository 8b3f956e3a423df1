import type { TierKind } from '@mozhan/contract/prices.ts';

/** What amounts are offered for. */
export const tierKinds: Record<TierKind, string> = { read: '阅读', reward: '打赏', recharge: '充值' };

export const tierHelp: Record<TierKind, string> = {
  read: '作者给文章定价时可以选的金额；也可以另填 1 到 1000 元',
  reward: '读者打赏时可以选的金额；也可以另填',
  recharge: '充值时可以选的金额；也可以另填',
};

/** Fen, as the contract has them. */
export const tierBounds: Record<TierKind, { min: number; max: number }> = {
  read: { min: 100, max: 100_000 },
  reward: { min: 100, max: 50_000 },
  recharge: { min: 100, max: 1_000_000 },
};
