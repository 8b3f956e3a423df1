import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';
import { getPriceRules } from './index.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['price:create', 'price:update', 'price:remove'])).token;
});
afterAll(() => t.close());

const prices = async (token?: string) => (await t.call('GET core/fina/price/', {}, { token })).data;
const amounts = async (kind: string, token?: string) =>
  (await prices(token)).tiers.filter((tier) => tier.kind === kind).map(({ amount }) => amount);
const create = (input: object, token: string | undefined = staff) =>
  t.call('POST core/fina/price/', input, { token });
const update = (input: object, token: string | undefined = staff) =>
  t.call('PUT core/fina/price/', input, { token });
const remove = (id: string, token: string | undefined = staff) =>
  t.call('DELETE core/fina/price/', { id }, { token });

test('returns the initial tiers, the rules and the payment methods to everyone', async () => {
  expect(await prices()).toMatchObject({
    rewardMin: 100,
    rewardMax: 50_000,
    rechargeMin: 100,
    rechargeMax: 1_000_000,
    commissionPercent: 10,
    withdrawMin: 1000,
    refundDays: 30,
    inviteDays: 7,
    payBy: ['balance'],
  });
  expect(await amounts('read')).toEqual([100, 300, 600, 990, 1990]);
  expect(await amounts('reward')).toEqual([200, 500, 1000, 2000, 5000]);
  expect(await amounts('recharge')).toEqual([1000, 3000, 5000, 10_000, 20_000, 50_000]);
});

test('staff can create, change, disable and remove tiers, and see disabled ones', async () => {
  const { data: tier } = await create({ kind: 'reward', amount: 880 });
  expect(tier).toMatchObject({ kind: 'reward', amount: 880, sort: 60, enabled: 1 });
  expect(await amounts('reward')).toEqual([200, 500, 1000, 2000, 5000, 880]);
  await update({ id: tier.id, amount: 666, sort: 5 });
  expect(await amounts('reward')).toEqual([666, 200, 500, 1000, 2000, 5000]);
  await update({ id: tier.id, enabled: 0 });
  expect(await amounts('reward')).not.toContain(666);
  expect(await amounts('reward', staff)).toContain(666);
  expect(await amounts('reward', (await createStaff(t, ['price:create'])).token)).not.toContain(666);
  expect((await remove(tier.id)).success).toBe(true);
  expect(await amounts('reward', staff)).not.toContain(666);
  expect((await remove(tier.id)).status).toBe(404);
  expect((await update({ id: tier.id, sort: 1 })).status).toBe(404);
});

test('rejects a duplicate amount, also in concurrent requests', async () => {
  const twice = await Promise.all([1, 2].map(() => create({ kind: 'read', amount: 4200 })));
  expect(twice.map((each) => each.errorCode ?? 'created').sort()).toEqual(['TIER_TAKEN', 'created']);
  expect((await create({ kind: 'recharge', amount: 4200 })).success).toBe(true);
  const { tiers } = await prices(staff);
  const first = tiers.find(({ kind, amount }) => kind === 'read' && amount === 100);
  expect((await update({ id: first?.id, amount: 4200 })).errorCode).toBe('TIER_TAKEN');
});

test('updates single rules, and never lets a minimum exceed its maximum', async () => {
  const ctx = systemCtx(t.app.services);
  const { data } = await update({ commissionPercent: 15, refundDays: 7 });
  expect(data).toMatchObject({ commissionPercent: 15, refundDays: 7, inviteDays: 7 });
  expect(await getPriceRules(ctx)).toMatchObject({ commissionPercent: 15, rewardMin: 100 });
  expect((await update({ rewardMin: 50_000, rewardMax: 100 })).fields).toHaveProperty('rewardMin');
  expect((await update({ rewardMax: 1000, rewardMin: 300 })).success).toBe(true);
  expect(await amounts('reward')).toEqual([500, 1000]);
  expect((await update({ rewardMax: 200 })).fields).toHaveProperty('rewardMax');
  expect((await update({ rewardMin: 1001 })).fields).toHaveProperty('rewardMin');
  expect((await update({ rechargeMin: 5000, rechargeMax: 4000 })).fields).toHaveProperty('rechargeMin');
  const both = await Promise.all([update({ rechargeMin: 90_000 }), update({ rechargeMax: 80_000 })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  const { rechargeMin, rechargeMax } = await getPriceRules(ctx);
  expect(rechargeMin).toBeLessThanOrEqual(rechargeMax);
});

test('rejects invalid amounts and rules', async () => {
  for (const amount of [0, -100, 99, 100.5, '100', 1e9, null, undefined])
    expect((await create({ kind: 'recharge', amount })).status, String(amount)).toBe(422);
  expect((await create({ kind: 'gift', amount: 100 })).status).toBe(422);
  expect((await create({ kind: 'reward', amount: 50_001 })).fields).toHaveProperty('amount');
  expect((await create({ kind: 'read', amount: 100_001 })).fields).toHaveProperty('amount');
  for (const input of [
    { commissionPercent: 91 },
    { commissionPercent: -1 },
    { commissionPercent: 1.5 },
    { refundDays: 366 },
    { withdrawMin: '1000' },
    { rewardMin: 99 },
    { inviteDays: 367 },
    { amount: 100 },
    {},
  ])
    expect((await update(input)).status, JSON.stringify(input)).toBe(422);
  const [tier] = (await prices()).tiers;
  expect((await update({ id: tier?.id, refundDays: 3 })).fields).toHaveProperty('refundDays');
});

test('requires permission to change prices', async () => {
  const [tier] = (await prices()).tiers;
  await expectPermissionRequired(t, [
    ['price:create', 'POST core/fina/price/', { kind: 'read', amount: 500 }],
    ['price:update', 'PUT core/fina/price/', { refundDays: 1 }],
    ['price:remove', 'DELETE core/fina/price/', { id: tier?.id }],
  ]);
});
