import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, type TestUser } from '../../../testing/essays.ts';
import { createStaff, type StaffUser } from '../../../testing/staff.ts';
import { checkLedger } from '../../admin/system/index.ts';
import { type LedgerLine, post } from '../../platform/ledger/index.ts';
import { describeMovement, listMonthsUpTo, monthRange, type WalletMovement } from './rules/wallet.ts';

let t: TestApp;
let clerk: StaffUser;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: false } });
  clerk = await createStaff(t, ['withdraw:list', 'withdraw:update']);
});
afterAll(() => t.close());

const postEntry = (kind: 'recharge' | 'read' | 'reward' | 'refund', lines: LedgerLine[], now?: Date) => {
  const ctx = systemCtx(t.app.services);
  return inTransaction({ ...ctx, now: now ?? ctx.now }, (ctx) => post(ctx, { kind, title: '慢慢写', lines }));
};
const recharge = (userId: string, amount: number, now?: Date) =>
  postEntry(
    'recharge',
    [
      { account: 'clearing', provider: 'sandbox', amount: -amount },
      { account: 'balance', userId, amount },
    ],
    now,
  );
/** A sale paid at the sandbox cashier. */
const sell = (userId: string, amount: number, now?: Date) =>
  postEntry(
    'read',
    [
      { account: 'clearing', provider: 'sandbox', amount: -amount },
      { account: 'earnings', userId, amount },
    ],
    now,
  );
async function createEarner(amount: number): Promise<TestUser> {
  const writer = await createWriter(t);
  await sell(writer.user.id, amount);
  return writer;
}
const wallet = async ({ token }: TestUser) => (await t.call('GET core/user/wallet', {}, { token })).data;
const entries = async ({ token }: TestUser, input: object = {}) =>
  (await t.call('GET core/user/wallet/entry', input, { token })).data;
const withdraw = (token: string | undefined, input: object) =>
  t.call('POST core/user/withdraw', { account: 'linyan@alipay.test', ...input }, { token });
const decide = (input: object, token: string | undefined = clerk.token, on = t) =>
  on.call('PUT core/sys/withdraw/', input, { token });
const waiting = async (input: object) =>
  (await t.call('GET core/sys/withdraw/', input, { token: clerk.token })).data;
const listWithdrawalNotices = async ({ token }: TestUser) =>
  (await t.call('GET core/user/notice', { kind: 'system' }, { token })).data.list
    .map((each) => each.text)
    .filter((text) => text.includes('提现'));
const check = () => checkLedger(systemCtx(t.app.services));

test('describes each kind of movement', () => {
  const movement: WalletMovement = {
    kind: 'read',
    title: '慢慢写',
    pocket: 'balance',
    amount: -1,
    orderKind: 'read',
  };
  const movements = [
    movement,
    { ...movement, pocket: 'earnings' },
    { ...movement, kind: 'column', orderKind: 'column' },
    { ...movement, kind: 'reward', orderKind: 'reward' },
    { ...movement, kind: 'reward', orderKind: 'reward', pocket: 'earnings' },
    { ...movement, kind: 'member', orderKind: 'member', title: '年度会员' },
    { ...movement, kind: 'recharge', orderKind: 'recharge' },
    { ...movement, kind: 'refund', amount: 1 },
    { ...movement, kind: 'refund', amount: 1, orderKind: 'member', title: '年度会员' },
    { ...movement, kind: 'refund', pocket: 'earnings' },
    { ...movement, kind: 'refund', orderKind: 'recharge' },
    { ...movement, kind: 'overpaid' },
    { ...movement, kind: 'withdraw', orderKind: null },
    { ...movement, kind: 'withdraw-refused', orderKind: null },
  ] satisfies WalletMovement[];
  expect(movements.map(describeMovement)).toEqual([
    '购买《慢慢写》',
    '售出《慢慢写》',
    '购买专栏《慢慢写》',
    '打赏《慢慢写》',
    '收到打赏《慢慢写》',
    '开通会员：年度会员',
    '充值',
    '退款《慢慢写》',
    '退款：年度会员',
    '退款扣回《慢慢写》',
    '充值退款',
    '重复支付，已退到余额《慢慢写》',
    '提现',
    '提现被退回',
  ]);
});

test('months are in the time zone of China', () => {
  const newYear = new Date('2026-12-31T16:00:00Z');
  expect(listMonthsUpTo(newYear, 3)).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(monthRange('2026-12')).toEqual({ from: new Date('2026-11-30T16:00:00Z'), to: newYear });
});

test('returns balances, monthly sums, and movements by month and pocket', async () => {
  const writer = await createWriter(t);
  const { id } = writer.user;
  expect(await wallet(writer)).toMatchObject({ balance: 0, earnings: 0, withdrawing: 0 });
  const now = new Date();
  const before = new Date(now.getTime() - 40 * 86_400_000);
  const ages = new Date(now.getTime() - 500 * 86_400_000);
  await recharge(id, 5, ages);
  await recharge(id, 1000, before);
  await sell(id, 600, before);
  await postEntry('reward', [
    { account: 'balance', userId: id, amount: -200 },
    { account: 'commission', amount: 200 },
  ]);
  await postEntry('refund', [
    { account: 'earnings', userId: id, amount: -700 },
    { account: 'refunds', amount: 700 },
  ]);
  const { months, ...rest } = await wallet(writer);
  expect(rest).toEqual({ balance: 805, earnings: -100, withdrawing: 0 });
  expect(months).toHaveLength(12);
  expect(months.at(-1)).toMatchObject({ earned: -700, spent: 200, recharged: 0 });
  const earlier = months.filter(({ recharged }) => recharged > 0);
  expect(earlier).toEqual([{ month: expect.any(String), earned: 600, spent: 0, recharged: 1000 }]);
  const all = await entries(writer);
  expect(all.list).toMatchObject([
    { title: '退款扣回《慢慢写》', pocket: 'earnings', amount: -700, balanceAfter: -100 },
    { title: '打赏《慢慢写》', pocket: 'balance', amount: -200, balanceAfter: 805 },
    { title: '售出《慢慢写》', pocket: 'earnings', amount: 600, balanceAfter: 600 },
    { title: '充值', amount: 1000, balanceAfter: 1005 },
    { title: '充值', amount: 5, balanceAfter: 5, orderId: null, createdAt: ages.toISOString() },
  ]);
  const first = await entries(writer, { pageSize: 2 });
  const next = await entries(writer, { pageSize: 10, cursor: first.next });
  expect([...first.list, ...next.list]).toEqual(all.list);
  expect((await entries(writer, { pocket: 'earnings' })).list.map(({ amount }) => amount)).toEqual([
    -700, 600,
  ]);
  expect(await entries(writer, { month: earlier[0]?.month })).toMatchObject({ total: 2 });
  expect(await entries(writer, { month: earlier[0]?.month, pocket: 'balance' })).toMatchObject({ total: 1 });
  const { token } = writer;
  expect((await t.call('GET core/user/wallet/entry', { month: '2026-13' }, { token })).status).toBe(422);
  expect((await t.call('GET core/user/wallet/entry', { pocket: 'all' }, { token })).status).toBe(422);
  const stranger = await createWriter(t);
  expect(await entries(stranger, { cursor: first.next })).toMatchObject({ list: [], total: 0 });
  for (const route of [
    'GET core/user/wallet',
    'GET core/user/wallet/entry',
    'GET core/user/withdraw',
  ] as const)
    expect((await t.call(route)).status).toBe(401);
});

test('a withdrawal is reserved, approved and paid, with notices and operation log', async () => {
  const writer = await createEarner(20_000);
  const requested = await withdraw(writer.token, { amount: 15_050, realName: '林砚' });
  expect(requested.data).toMatchObject({
    no: expect.stringMatching(/^\d{20}$/),
    amount: 15_050,
    account: 'linyan@alipay.test',
    realName: '林砚',
    status: 0,
    decidedAt: null,
  });
  const { id, no } = requested.data;
  expect(await wallet(writer)).toMatchObject({ earnings: 4950, withdrawing: 15_050 });
  expect((await entries(writer)).list[0]).toMatchObject({ title: '提现', amount: -15_050 });
  expect(await waiting({ keyword: no, status: 0 })).toMatchObject({
    total: 1,
    payable: true,
    list: [{ id, user: { id: writer.user.id }, decidedBy: null, earnings: 4950 }],
  });
  expect(await waiting({ keyword: writer.user.account, status: 1 })).toMatchObject({ total: 0 });
  expect(await decide({ id, status: 3, tradeNo: 'T1' })).toMatchObject({ errorCode: 'ALREADY_HANDLED' });
  expect((await decide({ id, status: 1 })).data).toMatchObject({
    status: 1,
    decidedBy: { id: clerk.user.id },
  });
  expect(await decide({ id, status: 1 })).toMatchObject({ errorCode: 'ALREADY_HANDLED' });
  expect(await decide({ id, status: 3 })).toMatchObject({
    status: 422,
    fields: { tradeNo: expect.any(String) },
  });
  const inSandbox = await startTestApp({ sameDatabaseAs: t, config: { paySandbox: true } });
  try {
    expect(await decide({ id, status: 3, tradeNo: 'T1' }, clerk.token, inSandbox)).toMatchObject({
      errorCode: 'SANDBOX_ON',
    });
    const list = await inSandbox.call('GET core/sys/withdraw/', {}, { token: clerk.token });
    expect(list.data.payable).toBe(false);
  } finally {
    await inSandbox.close();
  }
  expect((await decide({ id, status: 3, tradeNo: 'BANK-1' })).data).toMatchObject({
    status: 3,
    tradeNo: 'BANK-1',
    paidAt: expect.any(String),
  });
  for (const status of [1, 2, 3])
    expect(await decide({ id, status, reason: '改主意', tradeNo: 'T2' })).toMatchObject({
      errorCode: 'ALREADY_HANDLED',
    });
  expect(await wallet(writer)).toMatchObject({ earnings: 4950, withdrawing: 0 });
  expect(await listWithdrawalNotices(writer)).toEqual([
    `你的提现申请（150.5 元，单号 ${no}）已打款，流水号 BANK-1。`,
    `你的提现申请（150.5 元，单号 ${no}）已批准，等待打款。`,
  ]);
  const { rows } = await t.app.services.pool.query(
    'select before, after from operations where target = $1 order by id',
    [`withdraw:${id}`],
  );
  expect(rows.at(-1)).toEqual({
    before: { status: 1, reason: '', tradeNo: '' },
    after: { status: 3, reason: '', tradeNo: 'BANK-1' },
  });
  expect(await check()).toEqual([]);
});

test('staff can filter and sort withdrawals', async () => {
  const writer = await createEarner(50_000);
  const ids: string[] = [];
  for (const amount of [3000, 1000, 2000]) ids.push((await withdraw(writer.token, { amount })).data.id);
  const found = async (input: object) =>
    (await waiting({ userId: writer.user.id, ...input })).list.map(({ id }) => ids.indexOf(id));
  expect(await found({})).toEqual([2, 1, 0]);
  expect(await found({ sort: 'createdAt', order: 0 })).toEqual([0, 1, 2]);
  expect(await found({ sort: 'amount', order: 1 })).toEqual([0, 2, 1]);
  const first = await waiting({ userId: writer.user.id, sort: 'amount', order: 0, pageSize: 2 });
  expect(await found({ sort: 'amount', order: 0, pageSize: 2, cursor: first.next })).toEqual([0]);
  expect(await found({ from: '2020-01-01', status: 0 })).toEqual([2, 1, 0]);
  expect(await found({ to: '2020-01-01' })).toEqual([]);
});

test('a refusal requires a reason and returns the money', async () => {
  const writer = await createEarner(30_000);
  for (const isApproved of [false, true]) {
    const { id, no } = (await withdraw(writer.token, { amount: 30_000 })).data;
    if (isApproved) await decide({ id, status: 1 });
    expect(await decide({ id, status: 2 })).toMatchObject({ errorCode: 'REASON_REQUIRED' });
    expect((await decide({ id, status: 2, reason: '账户姓名不符' })).data).toMatchObject({
      status: 2,
      reason: '账户姓名不符',
      earnings: 30_000,
    });
    expect((await listWithdrawalNotices(writer))[0]).toBe(
      `你的提现申请（300 元，单号 ${no}）没有通过：账户姓名不符。钱已退回你的收益。`,
    );
  }
  expect(await wallet(writer)).toMatchObject({ earnings: 30_000, withdrawing: 0 });
  expect((await wallet(writer)).months.at(-1)).toMatchObject({ earned: 30_000 });
  const own = await t.call('GET core/user/withdraw', { pageSize: 1 }, { token: writer.token });
  expect(own.data).toMatchObject({ total: 2, list: [{ status: 2, reason: '账户姓名不符' }] });
  const stranger = await createWriter(t);
  const others = await t.call('GET core/user/withdraw', { cursor: own.data.next }, { token: stranger.token });
  expect(others.data).toMatchObject({ total: 0, list: [] });
  expect(await check()).toEqual([]);
});

test('shows staff how much money came from the sandbox', async () => {
  const { unreal } = await waiting({});
  await createEarner(700);
  await postEntry('refund', [
    { account: 'refunds', amount: -200 },
    { account: 'clearing', provider: 'sandbox', amount: 200 },
  ]);
  expect((await waiting({})).unreal).toBe(unreal + 500);
});

test('staff cannot decide on their own withdrawal', async () => {
  const writer = await createEarner(20_000);
  await t.app.services.pool.query('insert into account_roles (user_id, role_id) values ($1, $2)', [
    writer.user.id,
    clerk.roleId,
  ]);
  const { id } = (await withdraw(writer.token, { amount: 20_000 })).data;
  const refused = { errorCode: 'WITHDRAW_OWN', errorMessage: '自己的提现要由别的工作人员处理' };
  for (const status of [1, 2]) {
    const decision = { id, status, reason: '不要了' };
    expect(await decide(decision, writer.token)).toMatchObject(refused);
  }
  expect((await decide({ id, status: 1 })).data).toMatchObject({ status: 1 });
  expect(await decide({ id, status: 3, tradeNo: 'BANK-2' }, writer.token)).toMatchObject(refused);
  expect(await waiting({ keyword: writer.user.account })).toMatchObject({ list: [{ id, status: 1 }] });
  expect(await check()).toEqual([]);
});

test('concurrent withdrawals never exceed the earnings, and each is decided once', async () => {
  const writer = await createEarner(30_000);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => withdraw(writer.token, { amount: 10_000 })),
  );
  const accepted = responses.filter(({ success }) => success);
  expect(accepted).toHaveLength(3);
  expect(responses.filter(({ errorCode }) => errorCode === 'EARNINGS_TOO_LOW')).toHaveLength(5);
  expect(await wallet(writer)).toMatchObject({ earnings: 0, withdrawing: 30_000 });
  const id = accepted[0]?.data.id;
  const decisions = await Promise.all([
    ...Array.from({ length: 3 }, () => decide({ id, status: 2, reason: '重复' })),
    withdraw(writer.token, { amount: 20_000 }),
  ]);
  expect(decisions.filter(({ success }) => success)).toHaveLength(1);
  expect(await wallet(writer)).toMatchObject({ earnings: 10_000, withdrawing: 20_000 });
  const request = { amount: 10_000, requestId: 'once' };
  const twice = [await withdraw(writer.token, request), await withdraw(writer.token, request)];
  expect(twice[0]?.data.id).toBe(twice[1]?.data.id);
  expect(await wallet(writer)).toMatchObject({ earnings: 0, withdrawing: 30_000 });
  expect(await check()).toEqual([]);
});

test('rejects withdrawals of readers, invalid amounts, and decisions without permission', async () => {
  const reader = await t.register();
  await recharge(reader.user.id, 50_000);
  expect((await withdraw(undefined, { amount: 10_000 })).status).toBe(401);
  expect((await withdraw(reader.token, { amount: 10_000 })).status).toBe(403);
  const writer = await createEarner(50_000);
  await recharge(writer.user.id, 50_000);
  expect(await withdraw(writer.token, { amount: 50_001 })).toMatchObject({ errorCode: 'EARNINGS_TOO_LOW' });
  for (const amount of [99, 100.5, -10_000, 0, '10000', null, undefined, 1e12])
    expect(await withdraw(writer.token, { amount }), String(amount)).toMatchObject({
      status: 422,
      fields: { amount: expect.any(String) },
    });
  expect(await withdraw(writer.token, { amount: 100 })).toMatchObject({
    status: 422,
    errorMessage: expect.stringMatching(/^每次至少提现 \d+ 元$/),
  });
  expect((await withdraw(writer.token, { amount: 20_000, account: ' a ' })).status).toBe(422);
  expect(await wallet(writer)).toMatchObject({ balance: 50_000, earnings: 50_000, withdrawing: 0 });
  const { id } = (await withdraw(writer.token, { amount: 50_000 })).data;
  const onlooker = await createStaff(t, ['withdraw:list']);
  expect((await decide({ id, status: 1 }, onlooker.token)).status).toBe(403);
  expect((await decide({ id, status: 1 }, writer.token)).status).toBe(403);
  expect((await t.call('GET core/sys/withdraw/')).status).toBe(401);
  expect((await t.call('GET core/sys/withdraw/', {}, { token: writer.token })).status).toBe(403);
  expect((await decide({ id: newId(), status: 1 })).status).toBe(404);
  expect((await decide({ id, status: 0 })).status).toBe(422);
  await t.app.services.pool.query('update withdrawals set amount = amount - 1 where id = $1', [id]);
  expect(await check()).toEqual([
    expect.stringMatching(/^提现 \d{20} 的分录 withdraw 应为 49999，记为 50000$/),
  ]);
  await t.app.services.pool.query('delete from withdrawals where id = $1', [id]);
  expect(await check()).toEqual([`分录 withdraw 的提现 ${id} 不存在`]);
});
