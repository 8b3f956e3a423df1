import { FLAG, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { cashierOf, fund, makeOrder } from '../orders.ts';
import type { Published } from './essays.ts';
import { DAY, mustCall, type People } from './helpers.ts';

/** Orders of every kind and state, and what follows from them. */
export async function spendMoney(t: TestApp, people: People, published: Published): Promise<void> {
  const { admin, writer, second, reader, friend, offender } = people;
  await fund(t, reader, 100_000);
  await fund(t, friend, 20_000);
  await fund(t, offender, 5_000);
  const { plans } = await mustCall(t, 'GET core/member/');
  const buy = (by: { token: string }, kind: string, targetId: string, payBy = 'balance') =>
    makeOrder(t, by, { kind, targetId, payBy });
  const paid = await buy(reader, 'read', published.paid);
  const invoice = { title: '某公司', taxNo: '91330000000000000X', email: 'tax@example.com' };
  await mustCall(t, 'PUT core/user/order/invoice', { id: paid.id, ...invoice }, reader);
  await makeOrder(t, reader, {
    kind: 'column',
    targetId: published.column,
    payBy: 'balance',
    requestId: 'one order',
  });
  await buy(friend, 'member', plans[0]?.id ?? '');
  await reward(t, people, published);
  // Waiting, cancelled, paid back to the balance, paid back by the provider.
  await buy(friend, 'read', published.paid, 'sandbox');
  const declined = await buy(second, 'read', published.paid, 'sandbox');
  await mustCall(t, 'POST core/fina/cashier', { ...cashierOf(declined), action: 'decline' });
  const cancelled = await buy(offender, 'read', published.paid, 'sandbox');
  await mustCall(t, 'PUT core/user/order', { id: cancelled.id, action: 'cancel' }, offender);
  const regretted = await buy(offender, 'read', published.paid);
  const membership = await buy(offender, 'member', plans[0]?.id ?? '');
  const other = await buy(second, 'read', published.paid, 'sandbox');
  await mustCall(t, 'PUT core/user/order', { id: other.id, action: 'pay' }, second);
  for (const { id } of [regretted, membership, other])
    await mustCall(t, 'PUT core/sys/order/refund', { id, reason: '买错了' }, admin);
  await mustCall(t, 'PUT core/member/user', { userId: writer.user.id, days: 30, reason: '感谢' }, admin);
  await withdraw(t, people);
  const tier = { kind: 'reward', amount: 8800, enabled: FLAG.off };
  await mustCall(t, 'POST core/fina/price/', tier, admin);
  await mustCall(t, 'PUT core/fina/price/', { commissionPercent: 12 }, admin);
  t.advance(DAY);
  const day = new Date(t.app.services.clock().getTime() - DAY).toISOString().slice(0, 10);
  await mustCall(t, 'POST core/sys/finance/reconciliation', { day }, admin);
}

async function reward(t: TestApp, { writer, reader, friend }: People, { free }: Published): Promise<void> {
  const give = { essayId: free, payBy: 'balance' };
  await mustCall(t, 'POST core/essay/reward', { ...give, amount: 50_000, message: '写得好' }, reader);
  await mustCall(t, 'POST core/essay/reward', { ...give, amount: 500 }, friend);
  const { list } = await mustCall(t, 'GET core/essay/reward', { essayId: free });
  await mustCall(t, 'PUT core/essay/reward', { id: list[0]?.id, reply: '谢谢' }, writer);
}

/** Waiting, approved, refused and paid. */
async function withdraw(t: TestApp, { admin, writer }: People): Promise<void> {
  await mustCall(t, 'POST core/account/reauth', { method: 'password', password: PASSWORD }, writer);
  // Nothing is paid out while the sandbox takes money that is not real.
  const real = await startTestApp({
    beside: t,
    startAt: t.app.services.clock(),
    runsJobs: false,
    config: { paySandbox: false },
  });
  const wanted = { amount: 1000, account: 'first@alipay.test' };
  for (const status of Object.values(WITHDRAWAL_STATUS)) {
    const name = status % 2 === 0 ? {} : { realName: '林一' };
    const { id } = await mustCall(t, 'POST core/user/withdraw', { ...wanted, ...name }, writer);
    if (status === WITHDRAWAL_STATUS.approved || status === WITHDRAWAL_STATUS.paid)
      await mustCall(real, 'PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.approved }, admin);
    if (status === WITHDRAWAL_STATUS.refused)
      await mustCall(real, 'PUT core/sys/withdraw/', { id, status, reason: '账号不对' }, admin);
    if (status === WITHDRAWAL_STATUS.paid)
      await mustCall(real, 'PUT core/sys/withdraw/', { id, status, tradeNo: '20260302001' }, admin);
  }
  await real.close();
}
