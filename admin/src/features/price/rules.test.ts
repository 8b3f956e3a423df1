import { READ_PRICE_LIMITS } from '@mozhan/contract/money.ts';
import { RECHARGE_LIMITS, REWARD_LIMITS } from '@mozhan/contract/prices.ts';
import { expect, test } from 'vitest';
import { ruleFields } from './rules.ts';
import { tierKinds } from './tiers.ts';

const stored = {
  rewardMin: 100,
  rewardMax: 50_000,
  rechargeMin: 100,
  rechargeMax: 1_000_000,
  commissionPercent: 10,
  withdrawMin: 1029,
  refundDays: 30,
  inviteDays: 7,
};

test('every rule has a form field, amounts as money fields', () => {
  const fields = ruleFields(stored);
  expect(fields.map(({ name }) => name)).toEqual(Object.keys(stored));
  expect(fields.filter(({ kind }) => kind === 'money').map(({ name }) => name)).toEqual([
    'rewardMin',
    'rewardMax',
    'rechargeMin',
    'rechargeMax',
    'withdrawMin',
  ]);
});

test('uses the limits of the contract', () => {
  const { read, reward, recharge } = tierKinds;
  expect([read.bounds, reward.bounds, recharge.bounds]).toEqual([
    READ_PRICE_LIMITS,
    REWARD_LIMITS,
    RECHARGE_LIMITS,
  ]);
});
