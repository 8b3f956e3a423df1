import { READ_PRICE, RECHARGE, REWARD } from '@mozhan/contract/prices.ts';
import { expect, test } from 'vitest';
import { fromValues, ruleFields, toValues } from './rules.ts';
import { tierBounds } from './tiers.ts';

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

test('amounts are edited in yuan and sent in fen', () => {
  expect(toValues(stored)).toMatchObject({ rewardMin: '1.00', withdrawMin: '10.29', commissionPercent: 10 });
  expect(fromValues(toValues(stored))).toEqual(stored);
  expect(ruleFields(toValues(stored)).map(({ name }) => name)).toEqual(Object.keys(stored));
});

test('the bounds are those of the contract', () => {
  expect(tierBounds).toEqual({ read: READ_PRICE, reward: REWARD, recharge: RECHARGE });
});
