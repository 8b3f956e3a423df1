import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { balanceOf, createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';

let t: TestApp;
/** A purchase in the process of `t` would wait for the one that is being interfered with. */
let otherProcess: TestApp;
let author: TestUser;
let buyer: TestUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  otherProcess = await startTestApp({ sameDatabaseAs: t, config: { paySandbox: true } });
  author = await createWriter(t);
});
beforeEach(async () => {
  buyer = await t.register();
  await rechargeBalance(t, buyer, 1000);
  essayId = await publishEssay(t, author, { price: 500 });
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await otherProcess.close();
  await t.close();
});

const run = (statement: string, ...values: unknown[]) => t.app.services.pool.query(statement, values);
const read = (more: object = {}) => ({ kind: 'read', targetId: essayId, payBy: 'balance', ...more });

/** Buys, and runs `interfere` between the check of the sale and the statement that buys. */
async function buyAfter(interfere: () => Promise<unknown>, request: object = read()) {
  const { pool } = t.app.services;
  const query = pool.query.bind(pool) as (config: unknown, values?: unknown) => Promise<unknown>;
  let times = 0;
  const spy = vi.spyOn(pool, 'query').mockImplementation((async (config: QueryConfig, values?: unknown) => {
    if (String(config.text).includes('order_buy')) {
      times++;
      spy.mockRestore();
      await interfere();
    }
    return query(config, values);
  }) as never);
  const response = await t.call('POST core/user/order', request, { token: buyer.token });
  spy.mockRestore();
  expect(times).toBe(1);
  return response;
}

/** All database rows of the buyer's orders, including the initial recharge. */
async function listOrderRows() {
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
  expect(await listOrderRows()).toEqual([]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 1000 });
}

test('a concurrent price change rejects the price that was sent, or charges the new price if none was', async () => {
  const raise = () => run('update essays set price = price + 100 where id = $1', essayId);
  expect(await buyAfter(raise, read({ price: 500 }))).toMatchObject({ errorCode: 'PRICE_CHANGED' });
  await expectNothing();
  expect((await buyAfter(raise)).data).toMatchObject({ amount: 700, status: 1 });
  expect(await listOrderRows()).toEqual([paid(700)]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 300 });
});

test('rejects an essay that is concurrently taken off the shelf, made free or deleted, without side effects', async () => {
  const { token } = author;
  const take = (status: number) => () => t.call('PUT core/essay/status', { id: essayId, status }, { token });
  expect(await buyAfter(take(4))).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  await expectNothing();
  essayId = await publishEssay(t, author, { price: 500 });
  const makeFree = () => run('update essays set price = 0 where id = $1', essayId);
  expect(await buyAfter(makeFree)).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  await expectNothing();
  essayId = await publishEssay(t, author, { price: 500 });
  const remove = () => t.call('DELETE core/essay/{id}', { id: essayId }, { token });
  expect(await buyAfter(remove)).toMatchObject({ errorCode: 'GONE' });
  await expectNothing();
});

test('rejects a column that changes concurrently', async () => {
  const { token } = author;
  const { id } = (await t.call('POST core/essay/column', { name: '小专栏', price: 400 }, { token })).data;
  essayId = await publishEssay(t, author, { price: 500, columnId: id });
  const request = { kind: 'column', targetId: id, payBy: 'balance' };
  const raise = () => t.call('PUT core/essay/column', { id, price: 600 }, { token });
  expect(await buyAfter(raise, { ...request, price: 400 })).toMatchObject({ errorCode: 'PRICE_CHANGED' });
  const empty = () => t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token });
  expect(await buyAfter(empty, request)).toMatchObject({ errorCode: 'NOT_FOR_SALE' });
  const remove = () => t.call('DELETE core/essay/column', { id }, { token });
  await t.call('PUT core/essay/status', { id: essayId, status: 3 }, { token });
  expect(await buyAfter(remove, request)).toMatchObject({ status: 422 });
  await expectNothing();
});

test('a concurrent purchase is made only once, and a waiting order is closed', async () => {
  const first = () => createOrder(otherProcess, buyer, read());
  expect(await buyAfter(first)).toMatchObject({ errorCode: 'ALREADY_OWNED' });
  expect(await listOrderRows()).toEqual([paid(500)]);
  essayId = await publishEssay(t, author, { price: 500 });
  const waiting = () => createOrder(t, buyer, read({ payBy: 'sandbox' }));
  expect((await buyAfter(waiting)).data.status).toBe(1);
  expect(await listOrderRows()).toEqual([
    paid(500),
    { kind: 'read', status: 2, amount: 500, purchases: 0, entries: 0, untold: 0 },
    paid(500),
  ]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 0 });
});

test('a concurrent repeat of the request returns the same order', async () => {
  const request = read({ requestId: 'twice' });
  let firstId = '';
  const again = async () => {
    firstId = (await createOrder(otherProcess, buyer, request)).id;
  };
  expect((await buyAfter(again, request)).data).toMatchObject({ id: firstId, status: 1 });
  expect(await listOrderRows()).toEqual([paid(500)]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 500 });
});

test('creates no order if the balance is spent concurrently', async () => {
  const spend = () =>
    t.call('POST core/essay/reward', { essayId, amount: 600, payBy: 'balance' }, { token: buyer.token });
  expect(await buyAfter(spend)).toMatchObject({ errorCode: 'BALANCE_TOO_LOW' });
  expect(await listOrderRows()).toMatchObject([{ kind: 'reward', status: 1, purchases: 0 }]);
  expect(await balanceOf(t, buyer)).toMatchObject({ balance: 400 });
  const { data } = await t.call('GET core/essay/{id}', { id: essayId }, { token: buyer.token });
  expect(data.locked).toBe('buy');
});

test('a batch that fails does not fail its purchases', async () => {
  const fail = () => Promise.reject(new Error('the batch failed'));
  expect((await buyAfter(fail)).data).toMatchObject({ amount: 500, status: 1 });
  expect(await listOrderRows()).toEqual([paid(500)]);
});

test('purchases that are made together succeed or fail each for itself', async () => {
  const rich = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  await Promise.all(rich.map((user) => rechargeBalance(t, user, 1000)));
  const poor = await t.register();
  await rechargeBalance(t, poor, 499);
  const otherAuthor = await createWriter(t);
  const otherEssayId = await publishEssay(t, otherAuthor, { price: 300 });
  const buyFrom = (app: TestApp) => (user: TestUser, targetId: string, requestId?: string) =>
    app.call('POST core/user/order', read({ targetId, requestId }), { token: user.token });
  const responses = await Promise.all(
    [t, otherProcess]
      .map(buyFrom)
      .flatMap((buy) => [
        ...rich.flatMap((user) => [buy(user, otherEssayId, 'other'), buy(user, essayId)]),
        buy(poor, essayId),
        buy(author, essayId),
      ]),
  );
  const errors = responses.map(({ errorCode }) => errorCode).filter((code) => code !== undefined);
  // Of two purchases without a request id one is refused; with one, both return the same order.
  expect(errors.sort()).toEqual([
    ...Array.from({ length: 6 }, () => 'ALREADY_OWNED'),
    ...['BALANCE_TOO_LOW', 'BALANCE_TOO_LOW', 'BUY_OWN', 'BUY_OWN'],
  ]);
  for (const user of rich) expect(await balanceOf(t, user)).toMatchObject({ balance: 200 });
  expect(await balanceOf(t, poor)).toMatchObject({ balance: 499 });
  expect(await balanceOf(t, otherAuthor)).toMatchObject({ earnings: 6 * 270 });
});

test('purchases of one statement spend and earn in their order', async () => {
  const buyers = [buyer, ...(await Promise.all(Array.from({ length: 3 }, () => t.register())))];
  await Promise.all(buyers.slice(1).map((user) => rechargeBalance(t, user, 1000)));
  const otherAuthor = await createWriter(t);
  await rechargeBalance(t, otherAuthor, 500);
  const { data } = await t.call(
    'POST core/essay/column',
    { name: '专栏', price: 100 },
    { token: otherAuthor.token },
  );
  await publishEssay(t, otherAuthor, { price: 200, columnId: data.id });
  // Not in the column: whoever has bought that owns its essays.
  const otherId = await publishEssay(t, otherAuthor, { price: 200 });
  let batches = 0;
  const spy = vi.spyOn(t.app.services.pool, 'query');
  const buy = (user: TestUser, targetId: string, more: object = {}) =>
    t.call('POST core/user/order', read({ targetId, ...more }), { token: user.token });
  const responses = await Promise.all([
    ...buyers.map((user) => buy(user, essayId)),
    ...buyers.map((user) => buy(user, otherId)),
    ...buyers.map((user) => buy(user, data.id, { kind: 'column' })),
    // An author who spends what others pay at the same time only counts earlier earnings.
    buy(otherAuthor, essayId),
  ]);
  for (const [config] of spy.mock.calls as unknown as [QueryConfig][])
    if (String(config.text).includes('order_buy_all')) batches++;
  spy.mockRestore();
  expect(responses.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
  expect(batches).toBeLessThan(responses.length);
  for (const user of buyers) expect(await balanceOf(t, user)).toMatchObject({ balance: 200 });
  expect(await balanceOf(t, otherAuthor)).toMatchObject({ balance: 0, earnings: 4 * (180 + 90) });
  const { rows } = await run(
    `select count(*)::int as purchases, count(distinct target_id)::int as targets, array_agg(distinct kind) as kinds
     from purchases where user_id = any($1)`,
    buyers.map(({ user }) => user.id),
  );
  expect(rows).toEqual([{ purchases: 12, targets: 3, kinds: ['column', 'essay'] }]);
  const lines = await run(
    'select amount, balance_after from ledger_lines where user_id = $1 and amount < 500 order by position',
    otherAuthor.user.id,
  );
  let earned = 0;
  for (const { amount, balance_after } of lines.rows.filter((line) => line.amount > 0)) {
    earned += amount;
    expect(balance_after).toBe(earned);
  }
});

test('a purchase that is decided alone locks its accounts before a batch may have to wait for it', async () => {
  const poor = await t.register();
  await rechargeBalance(t, poor, 100);
  // Batches leave orders of users with a waiting order to the longer transaction.
  await createOrder(t, poor, read({ payBy: 'sandbox' }));
  const key = 6301;
  const client = await t.app.services.pool.connect();
  await client.query('select pg_advisory_lock($1)', [key]);
  await run(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${key});
      return new;
    end $$;
    create trigger wait_for_test after insert on purchases for each row
      when (new.user_id = '${poor.user.id}') execute function wait_for_test()`);
  const attempt = t.call('POST core/user/order', read(), { token: poor.token });
  await expect
    .poll(async () => (await run('select 1 from pg_locks where objid = $1 and not granted', key)).rowCount)
    .toBe(1);
  const { rows: unlocked } = await run(
    'select account from ledger_accounts where user_id = $1 for update skip locked',
    poor.user.id,
  );
  await client.query('select pg_advisory_unlock($1)', [key]);
  client.release();
  expect(await attempt).toMatchObject({ errorCode: 'BALANCE_TOO_LOW' });
  await run('drop function wait_for_test cascade');
  expect(unlocked).toEqual([]);
});
