import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff } from '../../../testing/staff.ts';
import { startTestWechatPay, type TestWechatPay } from '../../../testing/wechat-pay.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let wechat: TestWechatPay;
let payer: TestUser;
let staff: string;
beforeAll(async () => {
  wechat = await startTestWechatPay();
  // A runner would settle a refund before the test has chosen how it ends.
  t = await startTestApp({ config: { wechatPay: wechat.config, paySandbox: true } });
  wechat.clock.now = t.app.services.clock;
  payer = await t.register();
  staff = (await createStaff(t, ['order:list', 'order:refund'])).token;
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
  await wechat.close();
});

const settle = async (id: string): Promise<unknown> =>
  jobs['refund-order']?.(systemCtx(t.app.services), { id });
const repeat = (id: string, more: object = {}, token: string | undefined = staff) =>
  t.call('PUT core/sys/order/refund/repeat', { id, ...more }, { token });
const find = async ({ no }: Order) =>
  (await t.call('GET core/sys/order/', { keyword: no }, { token: staff })).data.list[0];
const clearing = async () => {
  const { rows } = await t.app.services.pool.query<{ sum: number }>(
    `select sum(balance)::int as sum from ledger_accounts where account = 'clearing' and provider = 'wechat'`,
  );
  return rows[0]?.sum;
};

/** A paid order whose refund ended in this state at WeChat. */
async function refundThatEnds(as: 'CLOSED' | 'ABNORMAL'): Promise<Order> {
  const order = await createOrder(t, payer, { kind: 'recharge', amount: 1234, payBy: 'wechat' });
  wechat.pay(order.no);
  await t.call('PUT core/user/order', { id: order.id, action: 'pay' }, { token: payer.token });
  await t.call('PUT core/sys/order/refund', { id: order.id, reason: '退货' }, { token: staff });
  wechat.faults.refundEndsAs = as;
  await settle(order.id).catch(() => {});
  wechat.faults.refundEndsAs = '';
  return order;
}

test('a closed refund is repeated under a new number, once', async () => {
  const order = await refundThatEnds('CLOSED');
  expect(await find(order)).toMatchObject({
    refundProblem: 'closed',
    refundPending: true,
    refundNo: `R${order.no}`,
  });
  // The job has ended: it would only find the closed refund again.
  await settle(order.id);
  expect(await find(order)).toMatchObject({ refundProblem: 'closed' });
  const answers = await Promise.all([repeat(order.id), repeat(order.id)]);
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(answers.find(({ success }) => !success)?.errorCode).toBe('REFUND_NOT_REPEATABLE');
  expect(await find(order)).toMatchObject({ refundProblem: null, refundNo: `R${order.no}N2` });
  await settle(order.id);
  await settle(order.id);
  expect([...(wechat.trades.get(order.no)?.refunds.keys() ?? [])]).toEqual([
    `R${order.no}`,
    `R${order.no}N2`,
  ]);
  expect(await find(order)).toMatchObject({ refundProblem: null, refundPending: false });
  expect((await repeat(order.id)).errorCode).toBe('REFUND_NOT_REPEATABLE');
  const { rows } = await t.app.services.pool.query(
    `select kind from ledger_entries where order_id = $1 order by id`,
    [order.id],
  );
  expect(rows.filter(({ kind }) => kind === 'refund-settled')).toHaveLength(1);
  const log = await t.app.services.pool.query(
    `select before, after from operations where call like '%repeat'`,
  );
  expect(log.rows).toEqual([
    {
      before: { no: order.no, refundNo: `R${order.no}`, refundProblem: 'closed' },
      after: { no: order.no, refundNo: `R${order.no}N2`, refundProblem: null },
    },
  ]);
});

test('an abnormal refund is checked again under its number, or sent to the shop', async () => {
  const before = await clearing();
  const order = await refundThatEnds('ABNORMAL');
  expect(await find(order)).toMatchObject({ refundProblem: 'abnormal', refundPending: true });
  expect((await repeat(order.id)).data).toMatchObject({ refundNo: `R${order.no}`, refundProblem: null });
  await expect(settle(order.id)).rejects.toThrow('abnormal');
  expect((await repeat(order.id, { toShop: true })).success).toBe(true);
  await settle(order.id);
  expect(wechat.trades.get(order.no)?.refunds.get(`R${order.no}`)?.state).toBe('SUCCESS');
  expect(await find(order)).toMatchObject({ refundProblem: null, refundPending: false });
  expect(await clearing()).toBe(before);

  const handled = await refundThatEnds('ABNORMAL');
  // Staff handle it on WeChat's own site.
  wechat.trades
    .get(handled.no)
    ?.refunds.set(`R${handled.no}`, { amount: 1234, at: new Date(), state: 'SUCCESS' });
  await repeat(handled.id);
  await settle(handled.id);
  expect(await find(handled)).toMatchObject({ refundPending: false });
});

test('a late answer about the old refund number does not touch the repeated refund', async () => {
  const order = await refundThatEnds('ABNORMAL');
  const provider = t.app.services.providers.wechat;
  if (provider === undefined) throw new Error('no WeChat Pay');
  vi.spyOn(provider, 'refund').mockImplementationOnce(async () => {
    wechat.trades
      .get(order.no)
      ?.refunds.set(`R${order.no}`, { amount: 1234, at: new Date(), state: 'CLOSED' });
    // Another run gets this answer first, and staff repeat the refund.
    await settle(order.id);
    expect((await repeat(order.id)).success).toBe(true);
    return 'closed';
  });
  await settle(order.id);
  expect(await find(order)).toMatchObject({ refundProblem: null, refundNo: `R${order.no}N2` });
  await settle(order.id);
  expect(await find(order)).toMatchObject({ refundProblem: null, refundPending: false });
});

test('refuses to repeat a refund without problem, with the wrong way, or without permission', async () => {
  const closed = await refundThatEnds('CLOSED');
  expect((await repeat(closed.id, { toShop: true })).errorCode).toBe('REFUND_NOT_REPEATABLE');
  expect((await t.call('PUT core/sys/order/refund/repeat', { id: closed.id })).status).toBe(401);
  const lister = await createStaff(t, ['order:list']);
  for (const { token } of [payer, lister]) expect((await repeat(closed.id, {}, token)).status).toBe(403);
  expect((await repeat('a'.repeat(32))).status).toBe(404);
  wechat.faults.down = true;
  const abnormal = await find(closed);
  expect((await repeat(closed.id)).success).toBe(true);
  await expect(settle(closed.id)).rejects.toMatchObject({ code: 'PAY_FAILED' });
  wechat.faults.down = false;
  await settle(closed.id);
  expect(abnormal?.refundProblem).toBe('closed');
  expect(await find(closed)).toMatchObject({ refundPending: false });
});

test('the order of a column leads to the page of the column, for its buyer and for staff', async () => {
  const author = await createWriter(t, '专栏的作者');
  const column = await t.call(
    'POST core/essay/column',
    { name: '手记', price: 500 },
    { token: author.token },
  );
  await publishEssay(t, author, { columnId: column.data.id });
  await rechargeBalance(t, payer, 1000);
  const order = await createOrder(t, payer, { kind: 'column', targetId: column.data.id, payBy: 'balance' });
  const url = `/column/${column.data.id}.html`;
  expect(order.target).toEqual({ id: column.data.id, url });
  const own = await t.call('GET core/user/order', { kind: 'column' }, { token: payer.token });
  expect(own.data).toMatchObject({ list: [{ id: order.id, title: '手记', target: { url } }] });
  expect(await find(order)).toMatchObject({ kind: 'column', target: { url }, payee: { id: author.user.id } });
});
