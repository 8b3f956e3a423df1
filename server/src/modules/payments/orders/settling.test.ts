import type { Notice } from '@mozhan/contract/notices.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import {
  balanceOf,
  createOrder,
  listLedgerProblems,
  parseCashierUrl,
  rechargeBalance,
  sendSandboxCallback,
} from '../../../testing/orders.ts';
import { approveSandboxPayment } from './index.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: TestUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true, config: { paySandbox: true } });
  author = await createWriter(t);
  essayId = await publishEssay(t, author, { price: 500 });
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
});

const ctx = () => systemCtx(t.app.services);
const recharge = (person: TestUser) =>
  createOrder(t, person, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
const buy = (person: TestUser, targetId = essayId) =>
  createOrder(t, person, { kind: 'read', targetId, payBy: 'sandbox' });
const find = async ({ token }: TestUser, { id }: Order) =>
  (await t.call('GET core/user/order', { id }, { token })).data as Order;
const change = ({ token }: TestUser, { id }: Order, action: 'pay' | 'cancel') =>
  t.call('PUT core/user/order', { id, action }, { token });
/** Pays at the cashier without triggering the callback. */
const payAtCashier = ({ no }: Order) => approveSandboxPayment(ctx(), no);
const run = (name: string, payload: object = {}) => jobs[name]?.(ctx(), payload);

describe('the sandbox cashier', () => {
  test('shows the order to anyone with its URL, and accepts a decision', async () => {
    const person = await t.register();
    const order = await recharge(person);
    const at = parseCashierUrl(order);
    const shown = await t.call('GET core/fina/cashier', at);
    expect(shown.data).toMatchObject({ no: order.no, amount: 1000, status: 0, declined: false });
    for (const wrong of [
      { ...at, key: 'x' },
      { ...at, no: '2'.repeat(20) },
    ]) {
      expect((await t.call('GET core/fina/cashier', wrong)).status).toBe(404);
      expect((await t.call('POST core/fina/cashier', { ...wrong, action: 'approve' })).status).toBe(404);
    }
    expect((await t.call('GET core/fina/cashier', { ...at, no: '1' })).status).toBe(422);
    const declined = await t.call('POST core/fina/cashier', { ...at, action: 'decline' });
    expect(declined.data).toMatchObject({ status: 0, declined: true });
    // The payer is notified of the declined payment, and can still pay.
    expect((await find(person, order)).pay).toEqual({ ...order.pay, declined: true });
    const approved = await t.call('POST core/fina/cashier', { ...at, action: 'approve' });
    expect(approved.data).toMatchObject({ status: 1, declined: false });
    expect((await t.call('POST core/fina/cashier', { ...at, action: 'approve' })).errorCode).toBe(
      'ORDER_CLOSED',
    );
    expect(await balanceOf(t, person)).toMatchObject({ balance: 1000 });
  });

  test('sends delayed and repeated callbacks', async () => {
    const person = await t.register();
    const order = await recharge(person);
    const response = await t.call('POST core/fina/cashier', {
      ...parseCashierUrl(order),
      action: 'approve',
      delay: 1,
      times: 3,
    });
    expect(response.data.status).toBe(0);
    await expect.poll(async () => (await find(person, order)).status).toBe(1);
    await run('sandbox-callback', { no: order.no });
    expect(await balanceOf(t, person)).toMatchObject({ balance: 1000 });
  });

  test('does not exist when the sandbox is disabled', async () => {
    const person = await t.register();
    const order = await recharge(person);
    const { providers } = t.app.services;
    const { sandbox } = providers;
    delete providers.sandbox;
    expect((await t.call('GET core/fina/cashier', parseCashierUrl(order))).status).toBe(404);
    expect((await change(person, order, 'pay')).errorCode).toBe('PAY_UNAVAILABLE');
    expect((await t.call('GET core/fina/price/')).data.payBy).toEqual(['balance']);
    if (sandbox !== undefined) providers.sandbox = sandbox;
  });
});

describe('callbacks', () => {
  test('are idempotent', async () => {
    const person = await t.register();
    const order = await recharge(person);
    await payAtCashier(order);
    const responses = await Promise.all(Array.from({ length: 6 }, () => sendSandboxCallback(t, order.no)));
    expect(responses.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 6 }, () => [200, 'success']),
    );
    expect(await balanceOf(t, person)).toMatchObject({ balance: 1000 });
    expect((await find(person, order)).status).toBe(1);
  });

  test('with a wrong signature, amount or provider change nothing', async () => {
    const person = await t.register();
    const order = await recharge(person);
    await payAtCashier(order);
    const forged = (body: string) => body.replace('"amount":1000', '"amount":1');
    expect((await sendSandboxCallback(t, order.no, forged)).statusCode).toBe(400);
    // Signed, but with another amount than the order's.
    const setAmount = (amount: number) =>
      t.query('update sandbox_payments set amount = $2 where no = $1', [order.no, amount]);
    for (const amount of [1, 999, 1001]) {
      await setAmount(amount);
      expect((await sendSandboxCallback(t, order.no)).statusCode).toBe(400);
    }
    await setAmount(1000);
    // Signed, but for an order of another provider.
    await t.app.services.pool.query(`update orders set pay_by = 'alipay' where no = $1`, [order.no]);
    expect((await sendSandboxCallback(t, order.no)).statusCode).toBe(400);
    await t.app.services.pool.query(`update orders set pay_by = 'sandbox' where no = $1`, [order.no]);
    expect((await find(person, order)).status).toBe(0);
    expect(await balanceOf(t, person)).toMatchObject({ balance: 0 });
    expect((await sendSandboxCallback(t, order.no)).statusCode).toBe(200);
  });

  test('that were lost are replaced by a query', async () => {
    const person = await t.register();
    const [queried, watched] = [await recharge(person), await recharge(person)];
    await payAtCashier(queried);
    await payAtCashier(watched);
    expect((await change(person, queried, 'pay')).data.status).toBe(1);
    await run('watch-orders');
    expect((await find(person, watched)).status).toBe(0);
    t.advance(61_000);
    await run('watch-orders');
    expect((await find(person, watched)).status).toBe(1);
    expect(await balanceOf(t, person)).toMatchObject({ balance: 2000 });
  });
});

describe('a closed order', () => {
  test('that was cancelled cannot be paid, but an earlier payment is delivered', async () => {
    const person = await t.register();
    const order = await recharge(person);
    expect((await change(person, order, 'cancel')).data).toMatchObject({ status: 2, pay: null });
    expect((await change(person, order, 'cancel')).data.status).toBe(2);
    await run('close-order', { id: order.id });
    expect((await change(person, order, 'pay')).errorCode).toBe('ORDER_CLOSED');
    expect(await payAtCashier(order)).toBe(false);
    const { token } = person;
    const paid = await rechargeBalance(t, person, 1000);
    expect(
      (await t.call('PUT core/user/order', { id: paid.id, action: 'cancel' }, { token })).errorCode,
    ).toBe('ORDER_CLOSED');
    // Paid at the cashier before it learned of the cancellation, so it is delivered.
    const late = await buy(person);
    await payAtCashier(late);
    await change(person, late, 'cancel');
    await sendSandboxCallback(t, late.no);
    expect((await find(person, late)).status).toBe(1);
    await run('close-order', { id: late.id });
    expect((await find(person, late)).status).toBe(1);
  });

  test('expires after half an hour, after a last query', async () => {
    const person = await t.register();
    const [forgotten, lost] = [await recharge(person), await recharge(person)];
    await payAtCashier(lost);
    t.advance(30 * 60_000);
    expect(await payAtCashier(forgotten)).toBe(false);
    expect((await t.call('GET core/fina/cashier', parseCashierUrl(forgotten))).data.status).toBe(2);
    expect((await change(person, forgotten, 'pay')).errorCode).toBe('ORDER_CLOSED');
    await run('watch-orders');
    expect((await find(person, forgotten)).status).toBe(2);
    expect((await find(person, lost)).status).toBe(1);
  });

  test('concurrent cancellation and payment end in a consistent state', async () => {
    const person = await t.register();
    for (const end of ['cancel', 'expire'] as const) {
      const orders = await Promise.all(Array.from({ length: 5 }, () => recharge(person)));
      const before = (await balanceOf(t, person)).balance;
      for (const order of orders) await payAtCashier(order);
      if (end === 'expire') t.advance(30 * 60_000);
      await Promise.all(
        orders.flatMap((order) => [
          sendSandboxCallback(t, order.no),
          end === 'cancel' ? change(person, order, 'cancel') : run('watch-orders'),
          sendSandboxCallback(t, order.no),
        ]),
      );
      for (const order of orders) expect((await find(person, order)).status).toBe(1);
      expect(await balanceOf(t, person)).toMatchObject({ balance: before + 5000 });
    }
  });
});

describe('two payments for the same content', () => {
  test('deliver once and credit the other to the balance', async () => {
    const person = await t.register();
    const [first, second] = [await buy(person), await buy(person)];
    await payAtCashier(first);
    await payAtCashier(second);
    await Promise.all([sendSandboxCallback(t, first.no), sendSandboxCallback(t, second.no)]);
    const found = [await find(person, first), await find(person, second)];
    expect(found.map(({ status }) => status).sort()).toEqual([1, 3]);
    expect(found.find(({ status }) => status === 3)?.refundReason).toBe('重复支付，已退到余额');
    expect(await balanceOf(t, person)).toMatchObject({ balance: 500 });
    await sendSandboxCallback(t, first.no);
    await sendSandboxCallback(t, second.no);
    expect(await balanceOf(t, person)).toMatchObject({ balance: 500 });
  });

  test('paying one order cancels the others', async () => {
    const person = await t.register();
    const [first, second] = [await buy(person), await buy(person)];
    await rechargeBalance(t, person, 500);
    await createOrder(t, person, { kind: 'read', targetId: essayId, payBy: 'balance' });
    for (const order of [first, second]) expect((await find(person, order)).status).toBe(2);
  });

  test('credits the payment to the balance if the content was deleted', async () => {
    const person = await t.register();
    const deletedEssay = await publishEssay(t, author, { price: 500 });
    const order = await buy(person, deletedEssay);
    await t.call('DELETE core/essay/{id}', { id: deletedEssay }, { token: author.token });
    await payAtCashier(order);
    await sendSandboxCallback(t, order.no);
    expect(await find(person, order)).toMatchObject({ status: 3, refundReason: '内容已不在，已退到余额' });
    expect(await balanceOf(t, person)).toMatchObject({ balance: 500 });
  });
});

test('cancels the order if the provider does not respond, and accepts the request again', async () => {
  const person = await t.register();
  const { sandbox } = t.app.services.providers;
  const start = vi
    .spyOn(sandbox as NonNullable<typeof sandbox>, 'start')
    .mockRejectedValueOnce(Object.assign(new Error('connection reset')));
  const request = { kind: 'recharge', amount: 1000, payBy: 'sandbox', requestId: 'retried' };
  const refused = await t.call('POST core/user/order', request, { token: person.token });
  expect(refused.errorCode).toBe('PAY_FAILED');
  const again = await t.call('POST core/user/order', request, { token: person.token });
  expect(again.data).toMatchObject({ status: 0, pay: { url: expect.any(String) } });
  start.mockRestore();
});

test('notifies buyer, author and inviter', async () => {
  const inviter = await t.register();
  const person = await t.register(undefined, { inviteCode: inviter.user.inviteCode });
  await rechargeBalance(t, person, 5000);
  const id = await publishEssay(t, author, { price: 500 });
  const live = vi.spyOn(t.app.services.live, 'emitToUser');
  const order = await createOrder(t, person, { kind: 'read', targetId: id, payBy: 'balance' });
  expect(live).toHaveBeenCalledWith(person.user.id, 'order', {
    id: order.id,
    kind: 'read',
    status: 1,
    targetId: id,
  });
  live.mockRestore();
  const given = { essayId: id, amount: 300, message: '写得好', payBy: 'balance' };
  expect((await t.call('POST core/essay/reward', given, { token: person.token })).success).toBe(true);
  const list = async (kind: string) =>
    (await t.call('GET core/user/notice', { kind }, { token: author.token })).data.list as Notice[];
  expect((await list('purchase'))[0]).toMatchObject({ text: expect.stringContaining('购买了你的文章') });
  expect((await list('reward'))[0]).toMatchObject({
    text: expect.stringContaining('打赏了你的文章'),
    excerpt: '写得好',
  });
  const types = async (token?: string) => {
    const { data } = await t.call('GET core/user/trend', { userId: person.user.id }, { token });
    return data.list.map(({ type }) => type);
  };
  expect((await types(person.token)).slice(0, 2)).toEqual([10, 12]);
  expect(await types()).not.toContain(12);
  for (const { token } of [person, inviter])
    expect((await t.call('GET core/member/', {}, { token })).data.mine?.isMember).toBe(true);
});

test('a job sends the notices that a killed process missed', async () => {
  const person = await t.register();
  const order = await rechargeBalance(t, person, 1000);
  const read = await createOrder(t, person, { kind: 'read', targetId: essayId, payBy: 'balance' });
  const { pool } = t.app.services;
  await pool.query(`delete from trends where user_id = $1 and type = 12`, [person.user.id]);
  await pool.query(`insert into untold_orders select id, created_at from orders where id = any($1)`, [
    [order.id, read.id],
  ]);
  t.advance(11_000);
  await run('tell-orders');
  await run('tell-orders');
  const { rows } = await pool.query(`select target_id from trends where user_id = $1 and type = 12`, [
    person.user.id,
  ]);
  expect(rows).toEqual([{ target_id: essayId }]);
});
