import { toFlag } from '@mozhan/contract/enums.ts';
import type { Prices, Tier } from '@mozhan/contract/prices.ts';
import type { PriceSettings } from '../actions/prices.ts';
import type { TierRow } from '../tables.ts';

export const toTier = ({ id, kind, amount, sort, enabled }: TierRow): Tier => ({
  id,
  kind,
  amount,
  sort,
  enabled: toFlag(enabled),
});

export const toPrices = ({ rules, tiers, payBy }: PriceSettings): Prices => ({
  rewardMin: rules.rewardMin,
  rewardMax: rules.rewardMax,
  rechargeMin: rules.rechargeMin,
  rechargeMax: rules.rechargeMax,
  commissionPercent: rules.commissionPercent,
  withdrawMin: rules.withdrawMin,
  refundDays: rules.refundDays,
  inviteDays: rules.inviteDays,
  tiers: tiers.map(toTier),
  payBy,
});
