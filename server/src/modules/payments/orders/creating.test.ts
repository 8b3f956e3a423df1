import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { balanceOf, createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';

let t: TestApp;
let author: TestUser;
let buyer: TestUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await createWriter(t);
  buyer = await t.register();
  essayId = await publishEssay(t, author, { price: 500 });
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
});

const placeOrder = (input: object, token: string | undefined = buyer.token) =>
  t.call('POST core/user/order', input, { token });
const reward = (input: object, token: string | undefined = buyer.token) =>
  t.call('POST core/essay/reward', input, { token });

/** All database rows that an order creates. */
async function listOrderRows(): Promise<unknown> {
  const { rows } = await t.app.services.pool.query(`
    select (select count(*) from orders) as orders, (select count(*) from purchases) as purchases,
      (select count(*) from ledger_lines) as lines, (select count(*) from rewards) as rewards,
      (select count(*) from sandbox_payments) as bills, (select count(*) from member_terms) as terms`);
  return rows[0];
}

const read = (targetId: string, payBy = 'balance') => ({ kind: 'read', targetId, payBy });

describe('rejects without side effects', () => {
  test('invalid amounts', async () => {
    const before = await listOrderRows();
    const amounts = [undefined, null, 0, -100, 99, 100.5, 1_000_001, 1e300, '1000', '', [], true];
    for (const amount of amounts) {
      const recharged = await placeOrder({ kind: 'recharge', amount, payBy: 'sandbox' });
      expect([amount, recharged.status, Object.keys(recharged.fields ?? {})]).toEqual([
        amount,
        422,
        ['amount'],
      ]);
      const given = amount === 1_000_001 ? 50_001 : amount;
      expect((await reward({ essayId, amount: given, payBy: 'sandbox' })).fields).toHaveProperty('amount');
    }
    for (const [amount, sentence] of [
      [-100, '金额（分）：不能小于 100'],
      [1_000_001, '金额（分）：不能大于 1000000'],
      [100.5, '金额（分）：请填写整数（分）'],
    ])
      expect((await placeOrder({ kind: 'recharge', amount, payBy: 'sandbox' })).errorMessage).toBe(sentence);
    expect(await listOrderRows()).toEqual(before);
  });

  test('malformed orders', async () => {
    const before = await listOrderRows();
    const wrong: [object, string][] = [
      [{ kind: 'recharge', amount: 1000, payBy: 'balance' }, 'payBy'],
      [{ kind: 'recharge', amount: 1000, payBy: 'cash' }, 'payBy'],
      [{ kind: 'recharge', amount: 1000 }, 'payBy'],
      [{ kind: 'reward', targetId: essayId, amount: 1000, payBy: 'balance' }, 'kind'],
      [{ kind: 'read', payBy: 'balance' }, 'targetId'],
      [{ kind: 'read', targetId: 'nonsense', payBy: 'balance' }, 'targetId'],
      [read(newId()), 'targetId'],
      [{ kind: 'column', targetId: essayId, payBy: 'sandbox' }, 'targetId'],
      [{ kind: 'member', targetId: essayId, payBy: 'sandbox' }, 'targetId'],
      [{ ...read(essayId), requestId: 'x'.repeat(65) }, 'requestId'],
    ];
    for (const [input, field] of wrong) {
      const response = await placeOrder(input);
      expect([input, response.status, Object.keys(response.fields ?? {})]).toEqual([input, 422, [field]]);
    }
    expect((await reward({ essayId: newId(), amount: 500, payBy: 'sandbox' })).fields).toHaveProperty(
      'essayId',
    );
    expect((await reward({ essayId, amount: 500, message: '长'.repeat(101), payBy: 'sandbox' })).status).toBe(
      422,
    );
    expect((await placeOrder(read(essayId), '')).status).toBe(401);
    expect((await reward({ essayId, amount: 500, payBy: 'balance' }, '')).status).toBe(401);
    expect(await listOrderRows()).toEqual(before);
  });

  test('content that is not for sale to the user', async () => {
    const free = await publishEssay(t, author);
    const forMembers = await publishEssay(t, author, { memberFree: true });
    const offShelf = await publishEssay(t, author, { price: 500 });
    await t.call('PUT core/essay/status', { id: offShelf, status: 4 }, { token: author.token });
    const deleted = await publishEssay(t, author, { price: 500 });
    await t.call('DELETE core/essay/{id}', { id: deleted }, { token: author.token });
    const draft = await submitEssay(t, author, { price: 500 });
    const column = await t.call(
      'POST core/essay/column',
      { name: '空的', price: 900 },
      { token: author.token },
    );
    const before = await listOrderRows();
    const refusals: [object, string, string?][] = [
      [read(free), 'NOT_FOR_SALE'],
      [read(forMembers), 'NOT_FOR_SALE'],
      [read(offShelf), 'NOT_FOR_SALE'],
      [read(deleted), 'GONE'],
      [read(draft), 'INVALID'],
      [read(essayId), 'BUY_OWN', author.token],
      [read(essayId, 'sandbox'), 'BUY_OWN', author.token],
      [{ kind: 'column', targetId: column.data.id, payBy: 'sandbox' }, 'NOT_FOR_SALE'],
      [{ kind: 'column', targetId: column.data.id, payBy: 'sandbox' }, 'BUY_OWN', author.token],
      [read(essayId, 'alipay'), 'PAY_UNAVAILABLE'],
      [read(essayId, 'wechat'), 'PAY_UNAVAILABLE'],
      [read(essayId), 'BALANCE_TOO_LOW'],
    ];
    for (const [input, code, token] of refusals) {
      expect([input, (await placeOrder(input, token)).errorCode]).toEqual([input, code]);
    }
    const given: [object, string, string?][] = [
      [{ essayId: offShelf, amount: 500, payBy: 'sandbox' }, 'NOT_FOR_SALE'],
      [{ essayId: deleted, amount: 500, payBy: 'sandbox' }, 'GONE'],
      [{ essayId, amount: 500, payBy: 'sandbox' }, 'BUY_OWN', author.token],
      [{ essayId, amount: 500, payBy: 'balance' }, 'BALANCE_TOO_LOW'],
    ];
    for (const [input, code, token] of given) {
      expect([input, (await reward(input, token)).errorCode]).toEqual([input, code]);
    }
    expect(await listOrderRows()).toEqual(before);
  });

  test('rewards of blocked users, who may still buy', async () => {
    const pest = await t.register();
    await rechargeBalance(t, pest, 1000);
    await t.call('POST core/user/block', { userId: pest.user.id }, { token: author.token });
    expect((await reward({ essayId, amount: 500, payBy: 'balance' }, pest.token)).errorCode).toBe('BLOCKED');
    expect((await placeOrder(read(essayId), pest.token)).data.status).toBe(1);
  });
});

test('the server determines the price when the order is created', async () => {
  const person = await t.register();
  await rechargeBalance(t, person, 5000);
  const other = await publishEssay(t, author, { price: 705 });
  const order = await createOrder(t, person, { ...read(other, 'sandbox'), amount: 100 });
  expect(order).toMatchObject({ amount: 705, status: 0, target: { id: other } });
  const admin = await t.signInAdmin();
  await t.call('PUT core/fina/price/', { commissionPercent: 50 }, { token: admin });
  await t.app.services.pool.query('update essays set price = 9000 where id = $1', [other]);
  const { earnings } = await balanceOf(t, author);
  const paid = await t.call('PUT core/user/order', { id: order.id, action: 'pay' }, { token: person.token });
  expect(paid.data).toMatchObject({ amount: 705, status: 1, pay: null });
  // The commission of 70.5 is rounded down.
  expect(await balanceOf(t, author)).toMatchObject({ earnings: earnings + 635 });
  // A buyer who sent the old price is not charged the new one.
  const late = await t.register();
  await rechargeBalance(t, late, 10_000);
  expect((await placeOrder({ ...read(other), price: 700 }, late.token)).errorCode).toBe('PRICE_CHANGED');
  expect(await balanceOf(t, late)).toMatchObject({ balance: 10_000 });
  expect((await placeOrder({ ...read(other), price: 9000 }, late.token)).data).toMatchObject({
    amount: 9000,
  });
  await t.call('PUT core/fina/price/', { commissionPercent: 10 }, { token: admin });
});

describe('a request id', () => {
  test('creates one order, however often the request is repeated', async () => {
    const person = await t.register();
    await rechargeBalance(t, person, 5000);
    const other = await publishEssay(t, author, { price: 700 });
    for (const [payBy, request] of [
      ['balance', read(other)],
      ['sandbox', { kind: 'recharge', amount: 1000, payBy: 'sandbox' }],
    ] as const) {
      const input = { ...request, requestId: `once ${payBy}` };
      const responses = await Promise.all(Array.from({ length: 8 }, () => placeOrder(input, person.token)));
      const ids = new Set(responses.map(({ data }) => data.id));
      expect(ids.size).toBe(1);
      expect(responses.every(({ success }) => success)).toBe(true);
      expect((await placeOrder(input, person.token)).data.id).toBe([...ids][0]);
    }
    expect(await balanceOf(t, person)).toMatchObject({ balance: 4300 });
    // Also a day later.
    t.advance(2 * 86_400_000);
    const again = await placeOrder({ ...read(other), requestId: 'once balance' }, person.token);
    expect(again.data).toMatchObject({ status: 1, amount: 700 });
  });

  test('is rejected with other parameters', async () => {
    const request = { kind: 'recharge', amount: 1000, payBy: 'sandbox', requestId: 'same' };
    expect((await placeOrder(request)).success).toBe(true);
    for (const other of [
      { ...request, amount: 2000 },
      { ...read(essayId), requestId: 'same' },
    ])
      expect((await placeOrder(other)).errorCode).toBe('REQUEST_ID_REUSED');
    const purchase = { ...read(essayId, 'sandbox'), requestId: 'same purchase' };
    expect((await placeOrder(purchase)).success).toBe(true);
    const samePrice = await publishEssay(t, author, { price: 500 });
    for (const other of [{ targetId: samePrice }, { payBy: 'balance' }])
      expect((await placeOrder({ ...purchase, ...other })).errorCode).toBe('REQUEST_ID_REUSED');
    // The same id of another user is independent.
    expect((await placeOrder(request, author.token)).success).toBe(true);
  });

  test('can be reused after a failure', async () => {
    const person = await t.register();
    const input = { ...read(essayId), requestId: 'again' };
    expect((await placeOrder(input, person.token)).errorCode).toBe('BALANCE_TOO_LOW');
    await rechargeBalance(t, person, 1000);
    expect((await placeOrder(input, person.token)).data.status).toBe(1);
  });

  test('concurrent requests for the same content buy it once', async () => {
    const person = await t.register();
    await rechargeBalance(t, person, 5000);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => placeOrder(read(essayId), person.token)),
    );
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    expect(responses.filter(({ errorCode }) => errorCode === 'ALREADY_OWNED')).toHaveLength(5);
    expect(await balanceOf(t, person)).toMatchObject({ balance: 4500 });
  });

  test('concurrent requests never exceed the balance', async () => {
    const person = await t.register();
    await rechargeBalance(t, person, 1000);
    const gifts = Array.from({ length: 6 }, () =>
      reward({ essayId, amount: 300, payBy: 'balance' }, person.token),
    );
    const responses = await Promise.all(gifts);
    expect(responses.filter(({ success }) => success)).toHaveLength(3);
    expect(await balanceOf(t, person)).toMatchObject({ balance: 100 });
  });
});

test('orders are visible to their owner and to staff with permission', async () => {
  const order = await createOrder(t, buyer, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  const own = await t.call('GET core/user/order', { id: order.id }, { token: buyer.token });
  expect(own.data).toEqual(order);
  const list = await t.call('GET core/user/order', { kind: 'recharge', status: 0 }, { token: buyer.token });
  expect((list.data as { list: { id: string }[] }).list[0]?.id).toBe(order.id);
  for (const [route, input] of [
    ['GET core/user/order', { id: order.id }],
    ['PUT core/user/order', { id: order.id, action: 'pay' }],
    ['PUT core/user/order', { id: order.id, action: 'cancel' }],
    ['PUT core/user/order/invoice', { id: order.id, title: '某公司', taxNo: '', email: '' }],
  ] as const) {
    expect((await t.call(route, input, { token: author.token })).status).toBe(404);
    expect((await t.call(route, input)).status).toBe(401);
  }
  expect((await t.call('GET core/sys/order/', {}, { token: buyer.token })).status).toBe(403);
  expect((await t.call('GET core/sys/order/')).status).toBe(401);
  const admin = await t.signInAdmin();
  const account = buyer.user.displayName;
  for (const query of [{ keyword: order.no }, { keyword: account, status: 0 }, { userId: buyer.user.id }]) {
    const { data } = await t.call('GET core/sys/order/', query, { token: admin });
    expect(data.list[0]).toMatchObject({ id: order.id, user: { id: buyer.user.id }, refundable: false });
  }
  const none = await t.call('GET core/sys/order/', { to: '2020-01-01' }, { token: admin });
  expect(none.data).toMatchObject({ list: [], total: 0 });
});

test('staff can sort and filter orders by time and amount', async () => {
  const payer = await t.register();
  const ids: string[] = [];
  for (const amount of [3000, 1000, 3000, 2000])
    ids.push((await createOrder(t, payer, { kind: 'recharge', amount, payBy: 'sandbox' })).id);
  const token = await t.signInAdmin();
  const list = (input: object) =>
    t.call('GET core/sys/order/', { userId: payer.user.id, ...input }, { token });
  const walk = async (input: object): Promise<number[]> => {
    const found: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await list({ ...input, pageSize: 1, ...(cursor !== undefined && { cursor }) });
      found.push(...data.list.map(({ id }) => ids.indexOf(id)));
      cursor = data.next;
    }
    return found;
  };
  expect(await walk({ sort: 'amount', order: 1 })).toEqual([2, 0, 3, 1]);
  expect(await walk({ sort: 'amount', order: 0 })).toEqual([1, 3, 0, 2]);
  expect(await walk({ sort: 'createdAt', order: 0 })).toEqual([0, 1, 2, 3]);
  expect(await walk({})).toEqual([3, 2, 1, 0]);
  expect(await walk({ least: 2000, most: 2000 })).toEqual([3]);
  expect(await walk({ least: 2001 })).toEqual([2, 0]);
  const paid = await rechargeBalance(t, payer, 5000);
  const booked = await t.call('GET core/sys/ledger/', { keyword: paid.no }, { token });
  expect(booked.data.list.map(({ orderId }) => orderId)).toEqual([paid.id]);
  expect(await list({ sort: 'title' })).toMatchObject({ status: 422, fields: { sort: expect.any(String) } });
  expect(await list({ least: -1 })).toMatchObject({ status: 422, fields: { least: expect.any(String) } });
});

test('accepts invoice data for paid orders only', async () => {
  const person = await t.register();
  const waiting = await createOrder(t, person, { kind: 'recharge', amount: 1000, payBy: 'sandbox' });
  const paid = await rechargeBalance(t, person, 2000);
  const invoice = { title: '墨栈科技有限公司', taxNo: '91110108ma01abcd2x', email: 'bill@example.com' };
  const set = (id: string, more: object = {}) =>
    t.call('PUT core/user/order/invoice', { id, ...invoice, ...more }, { token: person.token });
  expect((await set(waiting.id)).errorCode).toBe('ORDER_CLOSED');
  expect((await set(paid.id, { taxNo: '123' })).fields).toHaveProperty('taxNo');
  expect((await set(paid.id)).data.invoice).toEqual({ ...invoice, taxNo: '91110108MA01ABCD2X' });
  const admin = await t.signInAdmin();
  const { data } = await t.call('GET core/sys/order/', { invoice: 1 }, { token: admin });
  expect(data.list.map(({ id }) => id)).toEqual([paid.id]);
});

test('buying a membership adds the days of the plan, also repeatedly', async () => {
  const person = await t.register();
  await rechargeBalance(t, person, 10_000);
  const { plans } = (await t.call('GET core/member/')).data;
  const plan = plans[0];
  const buy = () => createOrder(t, person, { kind: 'member', targetId: plan?.id, payBy: 'balance' });
  await buy();
  expect(await buy()).toMatchObject({ amount: plan?.price, title: plan?.name, status: 1 });
  const { mine } = (await t.call('GET core/member/', {}, { token: person.token })).data;
  const days = (Date.parse(mine?.memberUntil ?? '') - t.app.services.clock().getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(2 * (plan?.days ?? 0));
});
