import { verify } from 'node:crypto';
import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestAlipay, type TestAlipay } from '../../../testing/alipay.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { unknownKeys } from '../../../testing/http-server.ts';
import { createStaff } from '../../../testing/staff.ts';
import { startTestWechatPay, type TestWechatPay } from '../../../testing/wechat-pay.ts';
import { jobs } from './jobs.ts';
import { createWechat } from './providers/wechat.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const IN_WECHAT = `${PHONE} MicroMessenger/8.0.60`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestApp;
let alipay: TestAlipay;
let wechat: TestWechatPay;
let payer: { token: string; user: { id: string } };

beforeAll(async () => {
  [alipay, wechat] = await Promise.all([startTestAlipay(), startTestWechatPay()]);
  t = await startTestApp({ config: { alipay: alipay.config, wechatPay: wechat.config } });
  alipay.clock.now = t.app.services.clock;
  wechat.clock.now = t.app.services.clock;
  // Starts at noon in China, so that no test crosses midnight.
  t.advance((44 - ((t.app.services.clock().getTime() / HOUR + 8) % 24)) * HOUR);
  payer = await t.register();
});
afterAll(async () => {
  await t.close();
  await Promise.all([alipay.close(), wechat.close()]);
});

async function order(payBy: 'alipay' | 'wechat', userAgent?: string, more: object = {}): Promise<Order> {
  const created = await t.call(
    'POST core/user/order',
    { kind: 'recharge', amount: 1234, payBy, ...more },
    { token: payer.token, ...(userAgent === undefined ? {} : { headers: { 'user-agent': userAgent } }) },
  );
  expect(created.errorMessage).toBeUndefined();
  return created.data;
}

/** Creates an order and opens Alipay's page, so that the provider knows the order. */
async function startOrder(payBy: 'alipay' | 'wechat'): Promise<Order> {
  const placed = await order(payBy);
  if (payBy === 'alipay') await alipay.openPaymentPage(placed.pay?.url ?? '');
  return placed;
}

const fakeProvider = (payBy: 'alipay' | 'wechat') => (payBy === 'alipay' ? alipay : wechat);

async function deliver(
  payBy: string,
  callback: string | { headers: Record<string, string>; body: string },
): Promise<{ status: number; body: string }> {
  const { headers, body } =
    typeof callback === 'string'
      ? { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }, body: callback }
      : { headers: { 'content-type': 'application/json', ...callback.headers }, body: callback.body };
  const response = await t.app.server.inject({
    method: 'POST',
    url: `/api/core/fina/notify/${payBy}`,
    headers,
    payload: body,
  });
  return { status: response.statusCode, body: response.body };
}

async function statusOf({ id }: Order): Promise<number> {
  const { data } = await t.call('GET core/user/order', { id }, { token: payer.token });
  return (data as Order).status;
}

async function balance(): Promise<number> {
  const { data } = await t.call('GET core/user/', {}, { token: payer.token });
  return 'balance' in data ? data.balance : Number.NaN;
}

async function clearing(provider: string): Promise<number> {
  const { rows } = await t.app.services.pool.query<{ sum: number }>(
    `select sum(balance)::int as sum from ledger_accounts where account = 'clearing' and provider = $1`,
    [provider],
  );
  return rows[0]?.sum ?? Number.NaN;
}

const run = (job: string, payload: object = {}): Promise<void> =>
  jobs[job]?.(systemCtx(t.app.services), payload) ?? Promise.reject(new Error('no such job'));

describe.each(['alipay', 'wechat'] as const)('%s', (payBy) => {
  const acknowledged = payBy === 'alipay' ? { status: 200, body: 'success' } : { status: 204, body: '' };

  test('handles order, payment, repeated callbacks, refund and its settlement', async () => {
    const before = { balance: await balance(), clearing: await clearing(payBy) };
    const placed = await startOrder(payBy);
    expect(fakeProvider(payBy).trades.get(placed.no)).toMatchObject({
      amount: 1234,
      notifyUrl: `http://site.test/api/core/fina/notify/${payBy}`,
    });
    fakeProvider(payBy).pay(placed.no);
    const callbacks = [0, 1, 2].map(() => fakeProvider(payBy).callback(placed.no));
    expect(await Promise.all(callbacks.map((each) => deliver(payBy, each)))).toEqual([
      acknowledged,
      acknowledged,
      acknowledged,
    ]);
    expect(await statusOf(placed)).toBe(1);
    expect(await balance()).toBe(before.balance + 1234);
    expect(await clearing(payBy)).toBe(before.clearing - 1234);

    const staff = await createStaff(t, ['order:list', 'order:refund']);
    const refunded = await t.call(
      'PUT core/sys/order/refund',
      { id: placed.id, reason: '退货' },
      { token: staff.token },
    );
    expect(refunded.data).toMatchObject({ status: 3, refundPending: true });
    await run('refund-order', { id: placed.id });
    expect([...(fakeProvider(payBy).trades.get(placed.no)?.refunds.keys() ?? [])]).toEqual([`R${placed.no}`]);
    expect(await clearing(payBy)).toBe(before.clearing);
    expect(await balance()).toBe(before.balance);
    // Repeats the callback and the refund request after the refund.
    expect(await deliver(payBy, callbacks[0] ?? '')).toEqual(acknowledged);
    const refundRequest = { no: placed.no, refundNo: `R${placed.no}`, amount: 1234, reason: '退货' };
    expect(await t.app.services.providers[payBy]?.refund(refundRequest)).toBe('done');
    expect(fakeProvider(payBy).trades.get(placed.no)?.refunds.size).toBe(1);
    expect(await clearing(payBy)).toBe(before.clearing);
    expect(await t.app.services.providers[payBy]?.query(placed.no)).toBeNull();
  });

  test('replaces a lost callback by a query', async () => {
    const placed = await startOrder(payBy);
    t.advance(2 * MINUTE);
    await run('watch-orders');
    expect(await statusOf(placed)).toBe(0);
    fakeProvider(payBy).pay(placed.no);
    t.advance(4 * MINUTE);
    await run('watch-orders');
    expect(await statusOf(placed)).toBe(1);
    expect(await deliver(payBy, fakeProvider(payBy).callback(placed.no))).toEqual(acknowledged);
  });

  test('a closed order cannot be paid, but an earlier payment that arrives late is delivered', async () => {
    const closed = await startOrder(payBy);
    await t.call('PUT core/user/order', { id: closed.id, action: 'cancel' }, { token: payer.token });
    await run('close-order', { id: closed.id });
    expect(fakeProvider(payBy).trades.get(closed.no)?.state).toBe('closed');
    expect(await statusOf(closed)).toBe(2);

    const late = await startOrder(payBy);
    fakeProvider(payBy).pay(late.no);
    const callback = fakeProvider(payBy).callback(late.no);
    const before = await balance();
    await t.app.services.pool.query('update orders set status = 2 where id = $1', [late.id]);
    await t.app.services.providers[payBy]?.close(late.no);
    expect(fakeProvider(payBy).trades.get(late.no)?.state).toBe('paid');
    expect(await deliver(payBy, callback)).toEqual(acknowledged);
    expect(await statusOf(late)).toBe(1);
    expect(await balance()).toBe(before + 1234);
  });

  test('rejects the order without side effects if the provider does not respond or its response is forged', async () => {
    const log = vi.spyOn(t.app.services.log, 'warn');
    const placed = await startOrder(payBy);
    fakeProvider(payBy).pay(placed.no);
    const provider = t.app.services.providers[payBy];
    for (const fault of ['down', 'forged'] as const) {
      fakeProvider(payBy).faults[fault] = true;
      await expect(provider?.query(placed.no)).rejects.toMatchObject({ code: 'PAY_FAILED' });
      await expect(provider?.listStatement('2026-01-01')).rejects.toMatchObject({ code: 'PAY_FAILED' });
      await run('watch-orders');
      expect(await statusOf(placed)).toBe(0);
      fakeProvider(payBy).faults[fault] = false;
    }
    const logged = JSON.stringify(log.mock.calls);
    log.mockRestore();
    expect(logged).toContain(`"provider":"${payBy}","what":"query"`);
    expect(logged).not.toMatch(/PRIVATE KEY|thirty-two|the secret of the app|signature=|[A-Za-z0-9+/]{100}/);
  });

  test('handles an unpaid order, and the statement of a day without trades', async () => {
    const provider = t.app.services.providers[payBy];
    const today = new Date(t.app.services.clock().getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
    if (payBy === 'alipay') alipay.faults.billIsMissing = true;
    else wechat.faults.billIsMissing = 'STATEMENT_CREATING';
    expect(await provider?.listStatement(today)).toBeNull();
    wechat.faults.billIsMissing = 'NO_STATEMENT_EXIST';
    expect(await provider?.listStatement('2026-01-01')).toEqual([]);
    alipay.faults.billIsMissing = false;
    wechat.faults.billIsMissing = '';
    const lines = await provider?.listStatement(today);
    const paid = [...fakeProvider(payBy).trades.values()].filter((trade) => trade.paidAt !== null);
    expect(lines?.filter((line) => line.kind === 'payment').map((line) => line.no)).toEqual(
      paid.map((trade) => trade.no),
    );
    expect(lines).toContainEqual({
      no: paid[0]?.no,
      tradeNo: paid[0]?.tradeNo,
      kind: 'refund',
      amount: 1234,
    });
  });
});

test('rejects invalid callbacks of Alipay, and the order stays waiting', async () => {
  const placed = await startOrder('alipay');
  alipay.pay(placed.no);
  const wrong = [
    alipay.callback(placed.no, {}, { total_amount: '0.01' }),
    alipay.callback(placed.no, {}, { sign: 'AAAA' }),
    alipay.callback(placed.no, {}, { sign_type: 'RSA' }),
    alipay.callback(placed.no, {}, { sign_type: '__proto__' }),
    alipay.callback(placed.no, { app_id: '2021000000000002' }),
    alipay.callback(placed.no, { total_amount: '12.33' }),
    alipay.callback(placed.no, { total_amount: 'much' }),
    alipay.callback(placed.no, { out_trade_no: '20260101000000000000' }),
    '',
    'trade_status=TRADE_SUCCESS',
    '{"trade_status":"TRADE_SUCCESS"}',
  ];
  for (const callback of wrong) {
    const { status, body } = await deliver('alipay', callback);
    expect(status, callback).toBeGreaterThanOrEqual(400);
    expect(body).not.toBe('success');
  }
  expect(await statusOf(placed)).toBe(0);
  // Out of order: the creation of the trade is reported after its payment.
  expect(await deliver('alipay', alipay.callback(placed.no))).toMatchObject({ status: 200 });
  const early = alipay.callback(placed.no, { trade_status: 'WAIT_BUYER_PAY' });
  expect(await deliver('alipay', early)).toEqual({ status: 200, body: 'success' });
  expect(await statusOf(placed)).toBe(1);
});

test('rejects invalid callbacks of WeChat, and the order stays waiting', async () => {
  const placed = await startOrder('wechat');
  wechat.pay(placed.no);
  const right = wechat.callback(placed.no);
  const now = Math.floor(t.app.services.clock().getTime() / 1000);
  const wrong = [
    { ...right, body: right.body.replace('支付成功', '支付失败') },
    { ...right, headers: { ...right.headers, 'wechatpay-nonce': 'another' } },
    { ...right, headers: {} },
    wechat.callback(placed.no, { keys: unknownKeys }),
    wechat.callback(placed.no, { serial: '00'.repeat(16) }),
    wechat.callback(placed.no, { timestamp: now - 330 }),
    wechat.callback(placed.no, { timestamp: now + 330 }),
    wechat.callback(placed.no, { apiKey: 'another key with thirty-two char' }),
    wechat.callback(placed.no, { content: { appid: 'wx0000000000000000' } }),
    wechat.callback(placed.no, { content: { mchid: '1900000002' } }),
    wechat.callback(placed.no, { content: { amount: { total: 1, currency: 'CNY' } } }),
    wechat.callback(placed.no, { content: { amount: { total: 1234, currency: 'USD' } } }),
    wechat.callback(placed.no, { content: { amount: { total: 12.34, currency: 'CNY' } } }),
    wechat.callback(placed.no, { content: { out_trade_no: '20260101000000000000' } }),
  ];
  for (const [index, callback] of wrong.entries()) {
    expect((await deliver('wechat', callback)).status, String(index)).toBeGreaterThanOrEqual(400);
  }
  expect(await statusOf(placed)).toBe(0);
  // Neither of these is a payment; both are acknowledged, so that WeChat does not repeat them.
  const others = [
    wechat.callback(placed.no, { content: { trade_state: 'NOTPAY' } }),
    wechat.callback(placed.no, { eventType: 'REFUND.SUCCESS' }),
  ];
  for (const callback of others) expect((await deliver('wechat', callback)).status).toBe(204);
  expect(await statusOf(placed)).toBe(0);
  // A replay after five minutes is rejected.
  t.advance(6 * MINUTE);
  expect((await deliver('wechat', right)).status).toBe(400);
  expect((await deliver('wechat', wechat.callback(placed.no))).status).toBe(204);
  expect(await statusOf(placed)).toBe(1);
});

test('rejects callbacks of providers that are not configured', async () => {
  for (const name of ['sandbox', 'balance', 'constructor'])
    expect((await deliver(name, 'a=b')).status).toBe(404);
  expect((await deliver('alipay', 'x'.repeat(70_000))).status).toBe(413);
});

test('Alipay returns a payment page for computers or phones', async () => {
  const onComputer = await order('alipay');
  expect(onComputer.pay?.url).toContain('method=alipay.trade.page.pay');
  const onPhone = await order('alipay', PHONE);
  expect(onPhone.pay?.url).toContain('method=alipay.trade.wap.pay');
  expect(await alipay.openPaymentPage(onPhone.pay?.url ?? '')).toMatchObject({ amount: 1234 });
  const url = onComputer.pay?.url?.replace('12.34', '0.01') ?? '';
  await expect(alipay.openPaymentPage(url)).rejects.toThrow('403');
});

test('WeChat returns a QR code, a payment page, or JSAPI parameters', async () => {
  const onComputer = await order('wechat');
  expect(onComputer.pay).toEqual({ qr: `weixin://wxpay/bizpayurl?pr=${onComputer.no}` });
  const onPhone = await order('wechat', PHONE);
  expect(onPhone.pay?.url).toContain('checkmweb?prepay_id=');
  expect(onPhone.pay?.url).toContain(`&redirect_url=${encodeURIComponent('http://site.test/')}`);

  const refundRequest = { kind: 'recharge', amount: 1234, payBy: 'wechat' };
  const inWechat = { token: payer.token, headers: { 'user-agent': IN_WECHAT } };
  const unknown = await t.call('POST core/user/order', refundRequest, inWechat);
  expect(unknown.errorCode).toBe('WECHAT_CODE_REQUIRED');
  const used = await t.call('POST core/user/order', { ...refundRequest, wechatCode: 'used' }, inWechat);
  expect(used.errorCode).toBe('WECHAT_CODE_REQUIRED');
  const page = await t.call('GET core/fina/wechat/auth', { back: '/a?b=c' }, inWechat);
  expect(new URL(page.data.url).searchParams.get('redirect_uri')).toBe('http://site.test/a?b=c');

  const known = await order('wechat', IN_WECHAT, { wechatCode: 'good-code' });
  const { appId, timeStamp, nonceStr, package: packed, paySign } = known.pay?.jsapi ?? {};
  expect(wechat.trades.get(known.no)).toMatchObject({ kind: 'jsapi', openid: 'o1' });
  const lines = Buffer.from(`${appId}\n${timeStamp}\n${nonceStr}\n${packed}\n`);
  expect(verify('RSA-SHA256', lines, wechat.shopKey, Buffer.from(paySign ?? '', 'base64'))).toBe(true);
});

test('accepts WeChat’s public key instead of its certificates', async () => {
  const provider = createWechat(t.app.services, { ...wechat.config, publicKey: wechat.publicKey });
  const placed = await startOrder('wechat');
  expect(await provider.query(placed.no)).toBeNull();
  wechat.pay(placed.no);
  expect(await provider.query(placed.no)).toMatchObject({ no: placed.no, amount: 1234 });
  const { payment } = await provider.parseCallback(
    wechat.callback(placed.no, { serial: wechat.publicKey.id }),
  );
  expect(payment).toMatchObject({ no: placed.no, amount: 1234 });
});

test('a refund that is delayed or rejected by the provider stays pending', async () => {
  const slow = await startOrder('wechat');
  wechat.pay(slow.no);
  await deliver('wechat', wechat.callback(slow.no));
  wechat.faults.refundIsSlow = true;
  const refundRequest = { no: slow.no, refundNo: `R${slow.no}`, amount: 1234, reason: '退'.repeat(200) };
  expect(await t.app.services.providers.wechat?.refund(refundRequest)).toBe('pending');
  wechat.faults.refundIsSlow = false;
  expect(await t.app.services.providers.wechat?.refund(refundRequest)).toBe('done');
  const other = { ...refundRequest, refundNo: 'another' };
  expect(await t.app.services.providers.wechat?.refund(other)).toBe('failed');

  const refused = await startOrder('alipay');
  alipay.pay(refused.no);
  alipay.faults.refusesRefunds = true;
  const wanted = { no: refused.no, refundNo: `R${refused.no}`, amount: 1234, reason: '' };
  expect(await t.app.services.providers.alipay?.refund(wanted)).toBe('failed');
  alipay.faults.refusesRefunds = false;
  expect(await t.app.services.providers.alipay?.refund(wanted)).toBe('done');
});
