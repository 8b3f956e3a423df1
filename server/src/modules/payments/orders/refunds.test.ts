import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { balanceOf, fund, listLedgerProblems, makeOrder } from '../../../testing/orders.ts';
import { makeMember, makeStaff } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: Writer;
let finance: string;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await makeWriter(t);
  finance = (await makeMember(t, 'finance')).token;
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
const isLocked = async ({ token }: Writer) =>
  (await t.call('GET core/essay/{id}', { id: essayId }, { token })).data.locked !== null;

async function makeBuyer(amount = 5000): Promise<Writer> {
  const person = await t.register();
  await fund(t, person, amount);
  return person;
}

test('for staff who may, with a reason, of what was paid, in time', async () => {
  const buyer = await makeBuyer();
  const waiting = await makeOrder(t, buyer, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  const order = await makeOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  for (const [token, status] of [
    ['', 401],
    [buyer.token, 403],
    [author.token, 403],
    [(await makeStaff(t, ['order:list'])).token, 403],
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

test('to the balance: once, however many ask; access ends and the author gives back', async () => {
  const buyer = await makeBuyer();
  const before = await balanceOf(t, author);
  const order = await makeOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect(await isLocked(buyer)).toBe(false);
  expect(await balanceOf(t, author)).toMatchObject({ earnings: before.earnings + 450 });
  const live = vi.spyOn(t.app.services.live, 'toUser');
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund(order)));
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(answers.filter(({ errorCode }) => errorCode === 'ORDER_NOT_PAID')).toHaveLength(4);
  expect(live).toHaveBeenCalledWith(buyer.user.id, 'order', expect.objectContaining({ status: 3 }));
  live.mockRestore();
  expect(answers.find(({ success }) => success)?.data).toMatchObject({
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
  const told = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(told.data.list[0]?.text).toContain('已退款 ¥5.00：买错了');
  const trends = await t.call('GET core/user/trend', { type: 12 }, { token });
  expect(trends.data.list).toEqual([]);
  const theirs = await t.call('GET core/user/notice', { kind: 'purchase' }, { token: author.token });
  expect(JSON.stringify(theirs.data.list)).not.toContain(buyer.user.displayName);
  // It can be bought again.
  const again = await makeOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect(again.status).toBe(1);
  expect(await isLocked(buyer)).toBe(false);
});

test('to the provider, which is asked until it is done', async () => {
  const buyer = await t.register();
  const order = await makeOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'sandbox' });
  await t.call('PUT core/user/order', { id: order.id, action: 'pay' }, { token: buyer.token });
  const provider = t.app.services.providers.sandbox;
  if (provider === undefined) throw new Error('no sandbox');
  const asked = vi.spyOn(provider, 'refund').mockResolvedValue('pending');
  expect((await refund(order)).data).toMatchObject({ status: 3, refundPending: true });
  await expect(settle(order)).rejects.toThrow('pending');
  asked.mockRestore();
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

test('what was recharged and spent is not there to be paid back', async () => {
  const buyer = await t.register();
  const order = await fund(t, buyer, 1000);
  await makeOrder(t, buyer, { kind: 'read', targetId: essayId, payBy: 'balance' });
  expect((await refund(order)).errorCode).toBe('REFUND_SPENT');
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 500 });
  await fund(t, buyer, 500);
  expect((await refund(order)).success).toBe(true);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 0 });
});

test('membership and rewards are taken back too', async () => {
  const buyer = await makeBuyer();
  const { plans } = (await t.call('GET core/member/')).data;
  const joined = await makeOrder(t, buyer, { kind: 'member', targetId: plans[0]?.id, payBy: 'balance' });
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
