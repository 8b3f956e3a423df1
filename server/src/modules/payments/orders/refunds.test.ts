import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { balanceOf, createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: TestUser;
let finance: string;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await createWriter(t);
  finance = (await createStaffWithRole(t, 'finance')).token;
  essayId = await publishEssay(t, author, {
    price: 500,
    content: `开头。\n\n${'很长的正文。'.repeat(200)}\n`,
  });
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
});

const refund = (order: Order, token: string | undefined = finance, reason = '买错了') =>
  t.call('PUT core/sys/order/refund', { id: order.id, reason }, { token });
const settle = ({ id }: Order) => jobs['refund-order']?.(systemCtx(t.app.services), { id });
const isLocked = async ({ token }: TestUser) =>
  (await t.call('GET core/essay/{id}', { id: essayId }, { token })).data.locked !== null;

async function createBuyer(amount = 5000): Promise<TestUser> {
  const person = await t.register();
  await rechargeBalance(t, person, amount);
  return person;
}

test('requires permission, a reason, a paid order and the refund period', async () => {
  const buyer = await createBuyer();
  const waiting = await createOrder(t, buyer, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  const order = await createOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  for (const [token, status] of [
    ['', 401],
    [buyer.token, 403],
    [author.token, 403],
    [(await createStaff(t, ['order:list'])).token, 403],
  ] as const)
    expect((await refund(order, token)).status).toBe(status);
  expect((await refund(order, finance, ' ')).fields).toHaveProperty('reason');
  expect((await refund(waiting)).errorCode).toBe('ORDER_NOT_PAID');
  expect((await refund({ ...order, id: essayId })).status).toBe(404);
  const admin = await t.signInAdmin();
  await t.call('PUT core/fina/price/', { refundDays: 0 }, { token: admin });
  t.advance(1000);
  expect((await refund(order)).errorCode).toBe('REFUND_TOO_LATE');
  await t.call('PUT core/fina/price/', { refundDays: 30 }, { token: admin });
  expect(await isLocked(buyer)).toBe(false);
});

test('refunds to the balance once, revokes access and debits the author', async () => {
  const buyer = await createBuyer();
  const before = await balanceOf(t, author);
  const order = await createOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect(await isLocked(buyer)).toBe(false);
  expect(await balanceOf(t, author)).toMatchObject({ earnings: before.earnings + 450 });
  const live = vi.spyOn(t.app.services.live, 'emitToUser');
  const responses = await Promise.all(Array.from({ length: 5 }, () => refund(order)));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  expect(responses.filter(({ errorCode }) => errorCode === 'ORDER_NOT_PAID')).toHaveLength(4);
  expect(live).toHaveBeenCalledWith(buyer.user.id, 'order', expect.objectContaining({ status: 3 }));
  live.mockRestore();
  expect(responses.find(({ success }) => success)?.data).toMatchObject({
    status: 3,
    refundReason: '买错了',
    refundable: false,
    refundPending: false,
    refundedBy: { id: expect.any(String) },
    commission: 50,
  });
  expect(await isLocked(buyer)).toBe(true);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 5000 });
  expect(await balanceOf(t, author)).toMatchObject(before);
  const { token } = buyer;
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(notices.data.list[0]?.text).toContain('已退款 ¥5.00：买错了');
  const trends = await t.call('GET core/user/trend', { type: 12 }, { token });
  expect(trends.data.list).toEqual([]);
  const theirs = await t.call('GET core/user/notice', { kind: 'purchase' }, { token: author.token });
  expect(JSON.stringify(theirs.data.list)).not.toContain(buyer.user.displayName);
  const again = await createOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect(again.status).toBe(1);
  expect(await isLocked(buyer)).toBe(false);
});

test('repeats the refund request to the provider until it is done', async () => {
  const buyer = await t.register();
  const order = await createOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'sandbox' });
  await t.call('PUT core/user/order', { id: order.id, action: 'pay' }, { token: buyer.token });
  const provider = t.app.services.providers.sandbox;
  if (provider === undefined) throw new Error('no sandbox');
  const refundSpy = vi.spyOn(provider, 'refund').mockResolvedValue('pending');
  expect((await refund(order)).data).toMatchObject({ status: 3, refundPending: true });
  await expect(settle(order)).rejects.toThrow('pending');
  refundSpy.mockRestore();
  await settle(order);
  await settle(order);
  const admin = await t.signInAdmin();
  const { data } = await t.call('GET core/sys/order/', { keyword: order.no }, { token: admin });
  expect(data.list[0]).toMatchObject({ refundPending: false, tradeNo: expect.stringMatching(/^S/) });
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 0 });
  const { rows } = await t.app.services.pool.query(
    'select kind from ledger_entries where order_id = $1 order by id',
    [order.id],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['read', 'refund', 'refund-settled']);
});

test('does not refund a recharge that was spent', async () => {
  const buyer = await t.register();
  const order = await rechargeBalance(t, buyer, 1000);
  await createOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect((await refund(order)).errorCode).toBe('REFUND_SPENT');
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 500 });
  await rechargeBalance(t, buyer, 500);
  expect((await refund(order)).success).toBe(true);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 0 });
});

test('revokes membership and rewards', async () => {
  const buyer = await createBuyer();
  const { plans } = (await t.call('GET core/member/')).data;
  const joined = await createOrder(t, buyer, { kind: 'member', targetId: plans[0]?.id, payBy: 'balance' });
  const isMember = async () =>
    (await t.call('GET core/member/', {}, { token: buyer.token })).data.mine?.isMember;
  expect(await isMember()).toBe(true);
  await refund(joined);
  expect(await isMember()).toBe(false);

  const give = async () =>
    (
      await t.call(
        'POST core/essay/reward',
        { essayId, amount: 300, payBy: 'balance' },
        { token: buyer.token },
      )
    ).data;
  const [first, second] = [await give(), await give()];
  const count = async () => (await t.call('GET core/essay/{id}', { id: essayId })).data.rewardCount;
  expect(await count()).toBe(2);
  await refund(first);
  expect(await count()).toBe(1);
  const { data } = await t.call('GET core/essay/reward', { essayId });
  expect(data.list).toHaveLength(1);
  const trends = async () =>
    (await t.call('GET core/user/trend', { type: 10 }, { token: buyer.token })).data.list.length;
  expect(await trends()).toBeGreaterThan(0);
  await refund(second);
  expect(await trends()).toBe(0);
  expect(await count()).toBe(0);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 5000 });
});
