import { invalid } from '@mozhan/contract/errors.ts';
import { type PriceRules, READ_PRICE, RECHARGE, REWARD, type TierKind } from '@mozhan/contract/prices.ts';
import type { Viewer } from '../../../../ctx.ts';
import { holds } from '../../../../viewer.ts';
import type { TierRow } from '../tables.ts';

/** Whoever edits prices sees the disabled tiers too. */
export const canSeeDisabled = (viewer: Viewer | null): boolean => holds(viewer, 'price:update');

const limits = { read: READ_PRICE, reward: REWARD, recharge: RECHARGE };

/** What an amount of this kind may be, whatever the settings say. */
export function checkAmount(kind: TierKind, amount: number): void {
  const { min, max } = limits[kind];
  if (amount < min || amount > max) throw invalid('amount', `金额应在 ${min / 100} 到 ${max / 100} 元之间`);
}

/** What nobody could pay is not offered. */
export function isOffered({ kind, amount, enabled }: TierRow, rules: PriceRules): boolean {
  if (!enabled) return false;
  if (kind === 'reward') return amount >= rules.rewardMin && amount <= rules.rewardMax;
  if (kind === 'recharge') return amount >= rules.rechargeMin && amount <= rules.rechargeMax;
  return true;
}

const pairs = [
  ['rewardMin', 'rewardMax', '打赏'],
  ['rechargeMin', 'rechargeMax', '充值'],
] as const;

/** The least is never above the most; what was given is what is wrong. */
export function checkRules(rules: PriceRules, given: Partial<PriceRules>): void {
  for (const [min, max, name] of pairs) {
    if (rules[min] > rules[max])
      throw given[min] === undefined
        ? invalid(max, `${name}最多不能少于${name}最少的 ${rules[min] / 100} 元`)
        : invalid(min, `${name}最少不能超过${name}最多的 ${rules[max] / 100} 元`);
  }
}
