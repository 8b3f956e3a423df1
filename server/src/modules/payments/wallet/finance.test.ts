import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestAlipay, type TestAlipay } from '../../../testing/alipay.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createTrade } from '../../../testing/http-server.ts';
import { createOrder } from '../../../testing/orders.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, type StaffUser } from '../../../testing/staff.ts';
import { startTestWechatPay, type TestWechatPay } from '../../../testing/wechat-pay.ts';
import { jobs as orderJobs } from '../orders/jobs.ts';
import { jobs } from './jobs.ts';

const HOUR = 3_600_000;

let t: TestApp;
let alipay: TestAlipay;
let wechat: TestWechatPay;
let payer: { token: string };
let staff: StaffUser;

beforeAll(async () => {
  [alipay, wechat] = await Promise.all([startTestAlipay(), startTestWechatPay()]);
  t = await startTestApp({
    config: { alipay: alipay.config, wechatPay: wechat.config, paySandbox: true },
  });
  alipay.clock.now = t.app.services.clock;
  wechat.clock.now = t.app.services.clock;
  // Starts at noon in China, so that no test crosses midnight.
  t.advance((44 - ((t.app.services.clock().getTime() / HOUR + 8) % 24)) * HOUR);
  payer = await t.register();
  staff = await createStaff(t, ['finance:list', 'finance:update', 'order:list', 'order:refund']);
});
afterAll(async () => {
  await t.close();
  await Promise.all([alipay.close(), wechat.close()]);
});

const today = (): string => chinaDayOf(t.app.services.clock());
const query = (text: string, values: unknown[] = []) => t.app.services.pool.query(text, values);

async function recharge(payBy: 'alipay' | 'wechat' | 'sandbox', amount: number): Promise<Order> {
  const order = await createOrder(t, payer, { kind: 'recharge', amount, payBy });
  if (payBy === 'alipay') await alipay.openPaymentPage(order.pay?.url ?? '');
  if (payBy !== 'sandbox') (payBy === 'alipay' ? alipay : wechat).pay(order.no);
  const paid = await t.call('PUT core/user/order', { id: order.id, action: 'pay' }, { token: payer.token });
  expect(paid.data.status).toBe(1);
  return paid.data;
}

async function refund(order: Order): Promise<void> {
  const response = await t.call(
    'PUT core/sys/order/refund',
    { id: order.id, reason: '退' },
    { token: staff.token },
  );
  expect(response.data.status).toBe(3);
  await orderJobs['refund-order']?.(systemCtx(t.app.services), { id: order.id });
}

async function reconcile(day: string): Promise<Record<Reconciliation['provider'], Reconciliation>> {
  const { data } = await t.call('POST core/sys/finance/reconciliation', { day }, { token: staff.token });
  return Object.fromEntries(data.map((each) => [each.provider, each])) as Record<
    Reconciliation['provider'],
    Reconciliation
  >;
}

const textsOf = ({ differences }: Reconciliation): string[] =>
  differences.map(({ problem, text }) => `${problem}: ${text}`);

async function buyMembership(): Promise<Order> {
  const { plans } = (await t.call('GET core/member/')).data;
  return createOrder(t, payer, { kind: 'member', targetId: plans[0]?.id, payBy: 'balance' });
}

test('reconciles a day without differences', async () => {
  const day = today();
  const recharged = await recharge('alipay', 5000);
  const returned = await recharge('alipay', 1200);
  await refund(returned);
  await recharge('wechat', 300);
  await refund(await recharge('wechat', 700));
  await recharge('sandbox', 900);
  const member = await buyMembership();
  expect(member.status).toBe(1);
  t.advance(24 * HOUR);

  const found = await reconcile(day);
  const sums = (count: number, paid: number, refunded: number) => ({ count, paid, refunded });
  for (const [provider, expected] of Object.entries({
    alipay: sums(3, 6200, 1200),
    wechat: sums(3, 1000, 700),
    sandbox: sums(1, 900, 0),
  })) {
    expect(found[provider as 'alipay']).toMatchObject({
      day,
      ledger: expected,
      orders: expected,
      statement: expected,
      differences: [],
      agrees: true,
      note: '',
    });
  }
  expect(found.balance).toMatchObject({
    ledger: sums(1, member.amount, 0),
    orders: sums(1, member.amount, 0),
    statement: null,
    agrees: true,
  });
  expect((await reconcile(day)).alipay.id).toBe(found.alipay.id);
  const list = await t.call('GET core/sys/finance/reconciliation', { day }, { token: staff.token });
  expect(list.data.total).toBe(4);

  const { data } = await t.call('GET core/sys/finance/revenue', { days: 7 }, { token: staff.token });
  expect(data.days).toHaveLength(7);
  expect(data.days.at(-2)).toEqual({
    day,
    turnover: member.amount,
    commission: member.amount,
    refunded: 0,
    orders: 1,
  });
  expect(data.total).toMatchObject({ turnover: member.amount, orders: 1 });
  expect(data.kinds).toEqual([
    { kind: 'recharge', amount: 8100, orders: 5 },
    { kind: 'member', amount: member.amount, orders: 1 },
  ]);
  expect(recharged.status).toBe(1);
});

test('reports every kind of difference', async () => {
  const day = today();
  const now = t.app.services.clock();
  const tradeOf = (no: string) => wechat.trades.get(no) ?? expect.fail('no such trade');

  const unknown = createTrade({ no: 'elsewhere', amount: 5, title: '', notifyUrl: '', expiresAt: now });
  alipay.trades.set('elsewhere', { ...unknown, state: 'paid', paidAt: now });
  const forgotten = await recharge('alipay', 101);
  alipay.trades.delete(forgotten.no);
  const cheap = await recharge('wechat', 202);
  tradeOf(cheap.no).amount = 2;
  const cancelled = await recharge('wechat', 303);
  await query('update orders set status = 2, paid_at = null where id = $1', [cancelled.id]);
  const notPosted = await createOrder(t, payer, { kind: 'recharge', amount: 404, payBy: 'sandbox' });
  await query('update orders set status = 1, paid_at = $2 where id = $1', [notPosted.id, now]);
  const raised = await buyMembership();
  await query('update orders set amount = amount + 1 where id = $1', [raised.id]);
  const lost = await recharge('wechat', 505);
  await refund(lost);
  tradeOf(lost.no).refunds.clear();
  const manualRefund = await recharge('wechat', 606);
  tradeOf(manualRefund.no).refunds.set('by hand', { amount: 606, at: now });
  t.advance(24 * HOUR);

  const found = await reconcile(day);
  expect(textsOf(found.alipay).sort()).toEqual([
    'missing-order: 支付宝收了 0.05 元（elsewhere），没有这张订单',
    `missing-payment: 订单 ${forgotten.no} 付了 1.01 元，支付宝的对账单里没有`,
  ]);
  expect(textsOf(found.wechat).sort()).toEqual(
    [
      `amount: 订单 ${cheap.no} 是 2.02 元，微信支付收了 0.02 元`,
      `missing-order: 账本记了订单 ${cancelled.no} 的收款 3.03 元，订单并未付清`,
      `missing-order: 微信支付收了订单 ${cancelled.no} 的 3.03 元，订单没有付清`,
      `missing-refund: 订单 ${lost.no} 退了 5.05 元，微信支付的对账单里没有`,
      `missing-refund: 微信支付退了订单 ${manualRefund.no} 的 6.06 元，订单没有退款`,
    ].sort(),
  );
  expect(textsOf(found.sandbox)).toEqual([
    `missing-entry: 订单 ${notPosted.no} 的付款 4.04 元没有记入账本`,
    `missing-payment: 订单 ${notPosted.no} 付了 4.04 元，演示收银台的对账单里没有`,
  ]);
  expect(found.sandbox.differences[0]).toMatchObject({ no: notPosted.no, orderId: notPosted.id });
  expect(found.sandbox.agrees).toBe(false);
  const yuan = (fen: number) => (fen / 100).toFixed(2);
  expect(textsOf(found.balance)).toEqual([
    `entry-amount: 订单 ${raised.no} 的付款是 ${yuan(raised.amount + 1)} 元，账本记了 ${yuan(raised.amount)} 元`,
  ]);
});

test('a refund requested before midnight and settled after it is not a difference', async () => {
  const order = await recharge('wechat', 808);
  const requestDay = today();
  await refund(order);
  const later = new Date(t.app.services.clock().getTime() + 24 * HOUR);
  await query('update orders set refund_settled_at = $2 where id = $1', [order.id, later]);
  t.advance(48 * HOUR);
  expect((await reconcile(requestDay)).wechat).toMatchObject({ differences: [], agrees: true });
  expect((await reconcile(chinaDayOf(later))).wechat).toMatchObject({ differences: [], agrees: true });
});

test('reports a missing statement and requests it again every morning', async () => {
  const day = today();
  t.advance(24 * HOUR);
  wechat.faults.billIsMissing = 'STATEMENT_CREATING';
  alipay.faults.down = true;
  const found = await reconcile(day);
  expect(found.wechat).toMatchObject({
    statement: null,
    agrees: false,
    note: '支付方还没有给出这一天的对账单',
  });
  expect(found.alipay).toMatchObject({ statement: null, note: '没有取到对账单，请稍后再对一次' });
  wechat.faults.billIsMissing = 'NO_STATEMENT_EXIST';
  alipay.faults.down = false;
  t.advance(24 * HOUR);
  await jobs.reconcile?.(systemCtx(t.app.services), {});
  const { data } = await t.call('GET core/sys/finance/reconciliation', {}, { token: staff.token });
  expect(data.list[0]?.day).toBe(chinaDayOf(new Date(t.app.services.clock().getTime() - 24 * HOUR)));
  expect(data.list.filter((each) => each.day === day).map((each) => each.agrees)).toEqual(
    Array(4).fill(true),
  );
  wechat.faults.billIsMissing = '';

  const first = await t.call('GET core/sys/finance/reconciliation', { pageSize: 3 }, { token: staff.token });
  const second = await t.call(
    'GET core/sys/finance/reconciliation',
    { pageSize: 3, cursor: first.data.next ?? '' },
    { token: staff.token },
  );
  expect([...first.data.list, ...second.data.list].map(({ id }) => id)).toEqual(
    data.list.slice(0, 6).map(({ id }) => id),
  );
});

test('requires permission, and accepts past days only', async () => {
  const write = 'POST core/sys/finance/reconciliation';
  await expectPermissionRequired(t, [
    ['finance:list', 'GET core/sys/finance/revenue', {}],
    ['finance:list', 'GET core/sys/finance/reconciliation', {}],
    ['finance:update', write, { day: '2026-01-01' }],
  ]);
  for (const wrong of [today(), '2999-01-01', '2026-02-30', 'yesterday', undefined])
    expect((await t.call(write, { day: wrong }, { token: staff.token })).fields).toHaveProperty('day');
  for (const days of [6, 367, 7.5, 'x'])
    expect(
      (await t.call('GET core/sys/finance/revenue', { days }, { token: staff.token })).fields,
    ).toHaveProperty('days');
});
