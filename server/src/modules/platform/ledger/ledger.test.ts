import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { ledgerProperty } from '../../../testing/ledger-property.ts';
import { createStaff } from '../../../testing/staff.ts';
import { checkLedger } from '../../admin/system/index.ts';
import { findBalances, type LedgerLine, post, removeDemoMoney } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const ctx = (): Ctx => systemCtx(t.app.services);
const recharge = (userId: string, amount: number, orderId = newId()) =>
  inTransaction(ctx(), (ctx) =>
    post(ctx, {
      kind: 'recharge',
      title: '充值',
      orderId,
      lines: [
        { account: 'clearing', provider: 'sandbox', amount: -amount },
        { account: 'balance', userId, amount },
      ],
    }),
  );
const buy = (userId: string, authorId: string, amount: number, commission = 0) =>
  inTransaction(ctx(), (ctx) =>
    post(ctx, {
      kind: 'read',
      title: '慢慢写',
      orderId: newId(),
      lines: [
        { account: 'balance', userId, amount: -amount },
        { account: 'earnings', userId: authorId, amount: amount - commission },
        { account: 'commission', amount: commission },
      ],
    }),
  );
const balances = (userId: string) => findBalances(ctx().db, userId);
/** Ignores findings about orders, because these tests post entries without orders. */
const check = async () => (await checkLedger(ctx())).filter((each) => !each.includes('的订单'));

test('posted entries determine the balances that users see', async () => {
  const reader = await t.register();
  const author = await t.register();
  await recharge(reader.user.id, 1000);
  await buy(reader.user.id, author.user.id, 300, 30);
  expect(await balances(reader.user.id)).toEqual({ balance: 700, earnings: 0 });
  expect(await balances(author.user.id)).toEqual({ balance: 0, earnings: 270 });
  expect((await t.call('GET core/user/', {}, { token: reader.token })).data).toMatchObject({ balance: 700 });
  expect((await t.call('GET core/user/', {}, { token: author.token })).data).toMatchObject({ balance: 0 });
  expect(await check()).toEqual([]);
});

test('rejects overspending and duplicate entries without side effects', async () => {
  const [userId, authorId, orderId] = [newId(), newId(), newId()];
  await recharge(userId, 500, orderId);
  await expect(buy(userId, authorId, 501)).rejects.toMatchObject({ code: 'BALANCE_TOO_LOW' });
  await expect(recharge(userId, 500, orderId)).rejects.toThrow();
  await expect(recharge(userId, 0.5)).rejects.toThrow();
  await expect(recharge(userId, Number.NaN)).rejects.toThrow();
  expect(await balances(userId)).toEqual({ balance: 500, earnings: 0 });
  expect(await t.query('select kind from ledger_entries where order_id = $1', [orderId])).toHaveLength(1);
  const refund = { kind: 'refund', title: '慢慢写', orderId } as const;
  const lines: LedgerLine[] = [
    { account: 'earnings', userId: authorId, amount: -200 },
    { account: 'balance', userId, amount: 200 },
  ];
  await expect(post(ctx(), { ...refund, lines })).rejects.toThrow('inTransaction');
  await inTransaction(ctx(), (ctx) => post(ctx, { ...refund, lines }));
  expect(await balances(authorId)).toEqual({ balance: 0, earnings: -200 });
  expect(await check()).toEqual([]);
});

test('the database rejects unbalanced entries', async () => {
  const userId = newId();
  const unbalanced = (lines: LedgerLine[]) =>
    inTransaction(ctx(), (ctx) => post(ctx, { kind: 'recharge', title: '充值', lines }));
  for (const lines of [
    [],
    [{ account: 'balance', userId, amount: 100 }],
    [
      { account: 'balance', userId, amount: 100 },
      { account: 'clearing', provider: 'sandbox', amount: -99 },
    ],
  ] satisfies LedgerLine[][])
    await expect(unbalanced(lines)).rejects.toThrow();
  await recharge(userId, 100);
  const [booked] = await t.query('select * from ledger_lines where user_id = $1', [userId]);
  const [other] = await t.query("select id, balance from ledger_accounts where key = 'clearing:bank:3'");
  /** Inserts lines directly, bypassing `ledger_post`. */
  const insert = (lines: [accountId: number, amount: number, after: number, userId?: string][], end = '') =>
    t.query(
      `insert into ledger_lines (id, entry_id, account_id, amount, balance_after, user_id, created_at)
       select gen_random_uuid(), '${booked.entry_id}', line.*, now() + interval '1 day'
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::uuid[]) as line ${end}`,
      [0, 1, 2, 3].map((place) => lines.map((line) => line[place] ?? null)),
    );
  // An unbalanced line, and a duplicate account of the entry, which must not change the balance.
  await expect(insert([[other.id, 5, other.balance + 5]])).rejects.toThrow('not balanced');
  await insert([[booked.account_id, 5, 105, userId]], 'on conflict do nothing');
  const [third] = await t.query("select id, balance from ledger_accounts where key = 'clearing:bank:4'");
  for (const wrong of [
    [other.id, 5, other.balance + 6],
    [other.id, 5, other.balance + 5, userId],
    [-1, 5, 5],
  ] as [number, number, number, string?][])
    await expect(insert([wrong, [third.id, -5, third.balance - 5]])).rejects.toThrow('do not match');
  expect(await balances(userId)).toEqual({ balance: 100, earnings: 0 });
  expect(await check()).toEqual([]);
});

test('several lines of an account in one statement must follow from each other', async () => {
  const userId = newId();
  await recharge(userId, 100);
  const [{ id: accountId }] = await t.query('select id from ledger_accounts where user_id = $1', [userId]);
  const [{ id: otherId, balance }] = await t.query(
    "select id, balance from ledger_accounts where key = 'commission::5'",
  );
  /** Posts one entry per line of the user, all in one statement. */
  const insert = (lines: { amount: number; after: number; time?: string; owner?: string }[]) =>
    t.query(
      `with given as (
         select gen_random_uuid() as entry_id, place, amount, after, owner, coalesce(time, '1 hour')::interval + now() as time
         from jsonb_to_recordset($1) as line (place int, amount bigint, after bigint, time text, owner uuid)
       ), entries as (
         insert into ledger_entries (id, kind, title, created_at) select entry_id, 'read', '', time from given
       )
       insert into ledger_lines (id, entry_id, account_id, user_id, amount, balance_after, created_at)
       select gen_random_uuid(), entry_id, account_id, user_id, amount, after, time from (
         select entry_id, place, ${accountId}::bigint, owner, amount, after, time from given
         union all
         select entry_id, place, ${otherId}, null, -amount, ${balance} - sum(amount) over (order by place), time from given
       ) as line (entry_id, place, account_id, user_id, amount, after, time)
       order by place`,
      [JSON.stringify(lines.map((line, place) => ({ owner: userId, ...line, place })))],
    );
  for (const wrong of [
    [
      { amount: 10, after: 110 },
      { amount: 10, after: 110 },
    ],
    [
      { amount: 10, after: 120 },
      { amount: 10, after: 110 },
    ],
    [
      { amount: 10, after: 110 },
      { amount: 10, after: 121 },
    ],
    [
      { amount: 10, after: 110, owner: newId() },
      { amount: 10, after: 120 },
    ],
    [
      { amount: 10, after: 110, time: '2 hours' },
      { amount: 10, after: 120, time: '1 hour' },
    ],
    [
      { amount: 10, after: 110, time: '-1 day' },
      { amount: 10, after: 120 },
    ],
  ])
    await expect(insert(wrong), JSON.stringify(wrong)).rejects.toThrow('do not match');
  const overdrawn = [
    { amount: -150, after: -50 },
    { amount: 100, after: 50 },
  ];
  await expect(insert(overdrawn)).rejects.toMatchObject({ constraint: 'ledger_accounts_not_negative' });
  expect(await balances(userId)).toEqual({ balance: 100, earnings: 0 });
  await insert([
    { amount: -60, after: 40 },
    { amount: 30, after: 70 },
    { amount: -70, after: 0 },
  ]);
  expect(await balances(userId)).toEqual({ balance: 0, earnings: 0 });
  expect(await check()).toEqual([]);
});

test('the database rejects every statement that changes posted entries', async () => {
  const userId = newId();
  await recharge(userId, 100);
  for (const statement of [
    'update ledger_lines set amount = amount + 1',
    'update ledger_lines set balance_after = 1 where user_id = $1',
    'delete from ledger_lines where user_id = $1',
    'truncate ledger_lines',
    'truncate ledger_entries cascade',
    "update ledger_entries set title = ''",
    'delete from ledger_entries',
    'update ledger_accounts set balance = balance + 1 where user_id = $1',
    'update ledger_accounts set user_id = gen_random_uuid() where user_id = $1',
    'delete from ledger_accounts where user_id = $1',
    'truncate ledger_accounts cascade',
    "insert into ledger_accounts (account, user_id, balance) values ('earnings', $1, 100)",
  ])
    await expect(t.query(statement, statement.includes('$1') ? [userId] : []), statement).rejects.toThrow(
      'the ledger is append-only',
    );
  for (const account of [
    "('balance', null, '')",
    "('commission', gen_random_uuid(), '')",
    "('clearing', null, '')",
    "('gold', null, '')",
  ])
    await expect(
      t.query(`insert into ledger_accounts (account, user_id, provider) values ${account}`),
      account,
    ).rejects.toThrow('ledger_accounts_kind');
  expect(await balances(userId)).toEqual({ balance: 100, earnings: 0 });
});

test('concurrent entries keep balances exact, non-negative and in sequence', async () => {
  const [rich, poor, author] = [newId(), newId(), newId()];
  await recharge(rich, 10_000);
  await recharge(poor, 1000);
  const results = await Promise.allSettled([
    ...Array.from({ length: 30 }, () => buy(rich, author, 100, 7)),
    ...Array.from({ length: 30 }, () => buy(poor, author, 100, 7)),
    ...Array.from({ length: 10 }, () => recharge(newId(), 500)),
  ]);
  const rejected = results.filter((each) => each.status === 'rejected');
  expect(rejected.map(({ reason }) => reason.code)).toEqual(Array(20).fill('BALANCE_TOO_LOW'));
  expect(await balances(rich)).toEqual({ balance: 7000, earnings: 0 });
  expect(await balances(poor)).toEqual({ balance: 0, earnings: 0 });
  expect(await balances(author)).toEqual({ balance: 0, earnings: 40 * 93 });
  const lines = await t.query(
    'select balance_after from ledger_lines where user_id = $1 order by created_at, position',
    [author],
  );
  expect(lines.map((line) => line.balance_after)).toEqual(Array.from({ length: 40 }, (_, i) => 93 * (i + 1)));
  expect(await check()).toEqual([]);
});

test('balances match a simple model after random histories', async () => {
  await fc.assert(ledgerProperty(t), { numRuns: 8 });
  expect(await check()).toEqual([]);
});

test('staff can filter entries by user, account, kind and order', async () => {
  const reader = await t.register(undefined, { displayName: '买书的人' });
  const authorId = newId();
  const orderId = newId();
  await recharge(reader.user.id, 900, orderId);
  for (const amount of [100, 200, 300]) await buy(reader.user.id, authorId, amount, 10);
  const { token } = await createStaff(t, ['ledger:list']);
  const list = (input: object) => t.call('GET core/sys/ledger/', input, { token });
  const { data } = await list({ userId: reader.user.id });
  expect(data).toMatchObject({ total: 4, sum: 0, next: null });
  expect(data.list[0]).toMatchObject({
    kind: 'read',
    title: '慢慢写',
    lines: [
      { account: 'balance', user: { displayName: '买书的人' }, amount: -300, balanceAfter: 300 },
      { account: 'earnings', user: null, amount: 290, balanceAfter: 570 },
      { account: 'commission', user: null, amount: 10 },
    ],
  });
  expect(data.accounts.find(({ account }) => account === 'refunds')?.balance).toBe(0);
  const first = await list({ userId: reader.user.id, pageSize: 3 });
  const rest = await list({ userId: reader.user.id, pageSize: 3, cursor: first.data.next });
  expect([...first.data.list, ...rest.data.list].map(({ id }) => id)).toEqual(data.list.map(({ id }) => id));
  const totals = async (input: object) => (await list(input)).data.total;
  expect(await totals({ userId: reader.user.id, kind: 'recharge' })).toBe(1);
  expect(await totals({ userId: reader.user.id, account: 'earnings' })).toBe(0);
  expect(await totals({ userId: authorId, account: 'earnings' })).toBe(3);
  expect(await totals({ orderId })).toBe(1);
  expect(await totals({ orderId, account: 'clearing' })).toBe(1);
  expect(await totals({ orderId, account: 'commission' })).toBe(0);
  expect(await totals({ withdrawalId: orderId })).toBe(0);
  expect(await totals({ userId: authorId, account: 'withdrawals' })).toBe(0);
  expect(await totals({ userId: reader.user.id, from: '2020-01-01' })).toBe(4);
  expect(await totals({ userId: reader.user.id, to: '2020-01-01' })).toBe(0);
  const oldest = await list({ userId: reader.user.id, sort: 'createdAt', order: 0 });
  expect(oldest.data.list.map(({ id }) => id)).toEqual(data.list.map(({ id }) => id).reverse());
  expect((await list({ account: 'gold' })).status).toBe(422);
  expect((await t.call('GET core/sys/ledger/')).status).toBe(401);
  expect((await t.call('GET core/sys/ledger/', {}, { token: reader.token })).status).toBe(403);
});

test('the ledger check reports manipulated rows', async () => {
  const userId = newId();
  await recharge(userId, 100);
  const byForce = (statement: string) =>
    t.query(`begin; set local mozhan.ledger = 'demo removal'; ${statement}; commit`);
  await byForce(`update ledger_accounts set balance = balance + 7 where user_id = '${userId}'`);
  expect(await check()).toEqual([
    '所有账户之和应为 0，实为 7',
    expect.stringMatching(new RegExp(`^账户 \\d+ balance ${userId}：各行之和为 100，记为 107$`)),
  ]);
  await byForce(`update ledger_accounts set balance = balance - 7 where user_id = '${userId}'`);
  await byForce(`update ledger_lines set amount = 93 where user_id = '${userId}'`);
  expect(await check()).toEqual([
    expect.stringMatching(/^分录 \w{32} 有 2 行，之和为 -7$/),
    expect.stringContaining('各行之和为 93，记为 100'),
    expect.stringContaining('之后应为 93，记为 100'),
  ]);
  await byForce(`update ledger_lines set amount = 100 where user_id = '${userId}'`);
  expect(await check()).toEqual([]);
});

test('removing demo money recalculates the balances of other users', async () => {
  const [demo, reader, author, orderId] = [newId(), newId(), newId(), newId()];
  await recharge(demo, 1000);
  await recharge(reader, 1000);
  await buy(reader, demo, 300, 30);
  await buy(reader, author, 200, 20);
  await buy(demo, author, 100, 10);
  await recharge(author, 50, orderId);
  const withdrawalId = newId();
  for (const [kind, from, to] of [
    ['withdraw', { account: 'earnings', userId: demo }, { account: 'withdrawals' }],
    ['withdraw-paid', { account: 'withdrawals' }, { account: 'clearing', provider: 'bank' }],
  ] as const)
    await inTransaction(ctx(), (ctx) =>
      post(ctx, {
        kind,
        title: '提现',
        withdrawalId,
        lines: [
          { ...from, amount: -50 },
          { ...to, amount: 50 },
        ],
      }),
    );
  await expect(removeDemoMoney(ctx(), { userIds: [demo], orderIds: [] })).rejects.toThrow('inTransaction');
  await inTransaction(ctx(), (ctx) => removeDemoMoney(ctx, { userIds: [demo], orderIds: [orderId] }));
  expect(await balances(reader)).toEqual({ balance: 800, earnings: 0 });
  expect(await balances(author)).toEqual({ balance: 0, earnings: 180 });
  expect(await t.query('select 1 from ledger_accounts where user_id = $1', [demo])).toEqual([]);
  expect(await t.query('select 1 from ledger_entries where withdrawal_id = $1', [withdrawalId])).toEqual([]);
  expect(await check()).toEqual([]);
  await expect(t.query('delete from ledger_lines')).rejects.toThrow('the ledger is append-only');
});
