import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { balanceOf, fund, listLedgerProblems, makeOrder } from '../../../testing/orders.ts';

let t: TestApp;
let author: Writer;
let buyer: Writer;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await makeWriter(t);
});
beforeEach(async () => {
  buyer = await t.register();
  await fund(t, buyer, 1000);
  essayId = await publishEssay(t, author, { price: 500 });
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
});

const run = (statement: string, ...values: unknown[]) => t.app.services.pool.query(statement, values);
const read = (more: object = {}) => ({ kind: 'read', targetId: essayId, payBy: 'balance', ...more });

/** Buys, and has something happen after the look at what is sold, just before the one statement that buys it. */
async function buyAfter(happens: () => Promise<unknown>, wanted: object = read()) {
  const { pool } = t.app.services;
  const query = pool.query.bind(pool) as (asked: unknown, values?: unknown) => Promise<unknown>;
  let times = 0;
  const spy = vi.spyOn(pool, 'query').mockImplementation((async (asked: QueryConfig, values?: unknown) => {
    if (String(asked.text).includes('order_buy')) {
      times++;
      spy.mockRestore();
      await happens();
    }
    return query(asked, values);
  }) as never);
  const answer = await t.call('POST core/user/order', wanted, { token: buyer.token });
  spy.mockRestore();
  expect(times).toBe(1);
  return answer;
}

/** All that the buyer's orders have left behind; the recharge at the beginning is one of them. */
async function traces() {
  const { rows } = await run(
    `select kind, status, amount,
      (select count(*)::int from purchases where order_id = orders.id) as purchases,
      (select count(*)::int from ledger_entries where order_id = orders.id) as entries,
      (select count(*)::int from untold_orders where order_id = orders.id) as untold
    from orders where user_id = $1 order by id`,
    buyer.user.id,
  );
  return rows.slice(1);
}

const paid = (amount: number) => ({ kind: 'read', status: 1, amount, purchases: 1, entries: 1, untold: 0 });

async function expectNothing() {
  expect(await traces()).toEqual([]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 1000 });
}

test('a price that changed in between: what was seen is refused, else the new one is paid', async () => {
  const raise = () => run('update essays set price = price + 100 where id = $1', essayId);
  expect(await buyAfter(raise, read({ price: 500 }))).toMatchObject({ errorCode: 'PRICE_CHANGED' });
  await expectNothing();
  expect((await buyAfter(raise)).data).toMatchObject({ amount: 700, status: 1 });
  expect(await traces()).toEqual([paid(700)]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 300 });
});

test('off the shelf, free or gone in between: refused, and no trace of it', async () => {
  const { token } = author;
  const take = (status: number) => () => t.call('PUT core/essay/status', { id: essayId, status }, { token });
  expect(await buyAfter(take(4))).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  await expectNothing();
  essayId = await publishEssay(t, author, { price: 500 });
  const give = () => run('update essays set price = 0 where id = $1', essayId);
  expect(await buyAfter(give)).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  await expectNothing();
  essayId = await publishEssay(t, author, { price: 500 });
  const remove = () => t.call('DELETE core/essay/{id}', { id: essayId }, { token });
  expect(await buyAfter(remove)).toMatchObject({ errorCode: 'GONE' });
  await expectNothing();
});

test('a column likewise', async () => {
  const { token } = author;
  const { id } = (await t.call('POST core/essay/column', { name: '小专栏', price: 400 }, { token })).data;
  essayId = await publishEssay(t, author, { price: 500, columnId: id });
  const wanted = { kind: 'column', targetId: id, payBy: 'balance' };
  const raise = () => t.call('PUT core/essay/column', { id, price: 600 }, { token });
  expect(await buyAfter(raise, { ...wanted, price: 400 })).toMatchObject({ errorCode: 'PRICE_CHANGED' });
  const empty = () => t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token });
  expect(await buyAfter(empty, wanted)).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  const remove = () => t.call('DELETE core/essay/column', { id }, { token });
  await t.call('PUT core/essay/status', { id: essayId, status: 3 }, { token });
  expect(await buyAfter(remove, wanted)).toMatchObject({ status: 422 });
  await expectNothing();
});

test('bought or ordered in between: once, and the order that waits is closed', async () => {
  const first = () => makeOrder(t, buyer, read());
  expect(await buyAfter(first)).toMatchObject({ errorCode: 'ALREADY_OWNED' });
  expect(await traces()).toEqual([paid(500)]);
  essayId = await publishEssay(t, author, { price: 500 });
  const waiting = () => makeOrder(t, buyer, read({ payBy: 'sandbox' }));
  expect((await buyAfter(waiting)).data.status).toBe(1);
  expect(await traces()).toEqual([
    paid(500),
    { kind: 'read', status: 2, amount: 500, purchases: 0, entries: 0, untold: 0 },
    paid(500),
  ]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 0 });
});

test('the same request in between is the same order', async () => {
  const wanted = read({ requestId: 'twice' });
  let firstId = '';
  const again = async () => {
    firstId = (await makeOrder(t, buyer, wanted)).id;
  };
  expect((await buyAfter(again, wanted)).data).toMatchObject({ id: firstId, status: 1 });
  expect(await traces()).toEqual([paid(500)]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 500 });
});

test('a balance that was spent in between: no order, no right to read', async () => {
  const spend = () =>
    t.call('POST core/essay/reward', { essayId, amount: 600, payBy: 'balance' }, { token: buyer.token });
  expect(await buyAfter(spend)).toMatchObject({ errorCode: 'BALANCE_TOO_LOW' });
  expect(await traces()).toMatchObject([{ kind: 'reward', status: 1, purchases: 0 }]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 400 });
  const { data } = await t.call('GET core/essay/{id}', { id: essayId }, { token: buyer.token });
  expect(data.locked).toBe('buy');
});
