import { invalidField } from '@mozhan/contract/errors.ts';
import { READ_PRICE_LIMITS } from '@mozhan/contract/money.ts';
import { type PriceRules, RECHARGE_LIMITS, REWARD_LIMITS, type TierKind } from '@mozhan/contract/prices.ts';
import type { Viewer } from '../../../../ctx.ts';
import { hasPermission } from '../../../../viewer.ts';
import type { TierRow } from '../tables.ts';

export const canSeeDisabledTiers = (viewer: Viewer | null): boolean => hasPermission(viewer, 'price:update');

const limits = { read: READ_PRICE_LIMITS, reward: REWARD_LIMITS, recharge: RECHARGE_LIMITS };

/** Checks the absolute limits, which do not depend on the settings. */
export function checkAmount(kind: TierKind, amount: number): void {
  const { min, max } = limits[kind];
  if (amount < min || amount > max)
    throw invalidField('amount', `金额应在 ${min / 100} 到 ${max / 100} 元之间`);
}

/** Tiers outside the current limits are not offered, because they could not be paid. */
export function isOffered({ kind, amount, enabled }: TierRow, rules: PriceRules): boolean {
  if (!enabled) return false;
  if (kind === 'reward') return amount >= rules.rewardMin && amount <= rules.rewardMax;
  if (kind === 'recharge') return amount >= rules.rechargeMin && amount <= rules.rechargeMax;
  return true;
}

const limitPairs = [
  ['rewardMin', 'rewardMax', '打赏'],
  ['rechargeMin', 'rechargeMax', '充值'],
] as const;

/** A minimum must not exceed its maximum; the error is reported for a changed field. */
export function checkRules(rules: PriceRules, given: Partial<PriceRules>): void {
  for (const [min, max, name] of limitPairs) {
    if (rules[min] > rules[max])
      throw given[min] === undefined
        ? invalidField(max, `${name}的上限不能低于下限 ${rules[min] / 100} 元`)
        : invalidField(min, `${name}的下限不能高于上限 ${rules[max] / 100} 元`);
  }
}
