import type { TierKind } from '@mozhan/contract/prices.ts';

interface TierInfo {
  label: string;
  help: string;
  /** Fen; must equal the contract's limits. */
  bounds: { min: number; max: number };
}

export const tierKinds: Record<TierKind, TierInfo> = {
  read: {
    label: '阅读',
    help: '作者给文章定价时可以选的金额；也可以另填 1 到 1000 元',
    bounds: { min: 100, max: 100_000 },
  },
  reward: {
    label: '打赏',
    help: '读者打赏时可以选的金额；也可以另填',
    bounds: { min: 100, max: 50_000 },
  },
  recharge: {
    label: '充值',
    help: '充值时可以选的金额；也可以另填',
    bounds: { min: 100, max: 1_000_000 },
  },
};
