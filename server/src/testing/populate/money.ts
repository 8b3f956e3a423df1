import { FLAG, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { createOrder, parseCashierUrl, rechargeBalance } from '../orders.ts';
import type { PublishedEssays } from './essays.ts';
import { DAY, mustCall, type Users } from './helpers.ts';

export async function spendMoney(t: TestApp, users: Users, published: PublishedEssays): Promise<void> {
  const { admin, writer, second, reader, friend, offender } = users;
  await rechargeBalance(t, reader, 100_000);
  await rechargeBalance(t, friend, 20_000);
  await rechargeBalance(t, offender, 5_000);
  const { plans } = await mustCall(t, 'GET core/member/');
  const buy = (by: { token: string }, kind: string, targetId: string, payBy = 'balance') =>
    createOrder(t, by, { kind, targetId, payBy });
  const paid = await buy(reader, 'read', published.paid);
  const invoice = { title: '某公司', taxNo: '91330000000000000X', email: 'tax@example.com' };
  await mustCall(t, 'PUT core/user/order/invoice', { id: paid.id, ...invoice }, reader);
  await createOrder(t, reader, {
    kind: 'column',
    targetId: published.column,
    payBy: 'balance',
    requestId: 'one order',
  });
  await buy(friend, 'member', plans[0]?.id ?? '');
  await reward(t, users, published);
  // One order per state: waiting, cancelled, refunded to the balance, refunded by the provider.
  await buy(friend, 'read', published.paid, 'sandbox');
  const declined = await buy(second, 'read', published.paid, 'sandbox');
  await mustCall(t, 'POST core/fina/cashier', { ...parseCashierUrl(declined), action: 'decline' });
  const cancelled = await buy(offender, 'read', published.paid, 'sandbox');
  await mustCall(t, 'PUT core/user/order', { id: cancelled.id, action: 'cancel' }, offender);
  const regretted = await buy(offender, 'read', published.paid);
  const membership = await buy(offender, 'member', plans[0]?.id ?? '');
  const other = await buy(second, 'read', published.paid, 'sandbox');
  await mustCall(t, 'PUT core/user/order', { id: other.id, action: 'pay' }, second);
  for (const { id } of [regretted, membership, other])
    await mustCall(t, 'PUT core/sys/order/refund', { id, reason: '买错了' }, admin);
  await mustCall(t, 'PUT core/member/user', { userId: writer.user.id, days: 30, reason: '感谢' }, admin);
  await withdraw(t, users);
  const tier = { kind: 'reward', amount: 8800, enabled: FLAG.off };
  await mustCall(t, 'POST core/fina/price/', tier, admin);
  await mustCall(t, 'PUT core/fina/price/', { commissionPercent: 12 }, admin);
  t.advance(DAY);
  const day = new Date(t.app.services.clock().getTime() - DAY).toISOString().slice(0, 10);
  await mustCall(t, 'POST core/sys/finance/reconciliation', { day }, admin);
}

async function reward(
  t: TestApp,
  { writer, reader, friend }: Users,
  { free }: PublishedEssays,
): Promise<void> {
  const give = { essayId: free, payBy: 'balance' };
  await mustCall(t, 'POST core/essay/reward', { ...give, amount: 50_000, message: '写得好' }, reader);
  await mustCall(t, 'POST core/essay/reward', { ...give, amount: 500 }, friend);
  const { list } = await mustCall(t, 'GET core/essay/reward', { essayId: free });
  await mustCall(t, 'PUT core/essay/reward', { id: list[0]?.id, reply: '谢谢' }, writer);
}

async function withdraw(t: TestApp, { admin, writer }: Users): Promise<void> {
  await mustCall(t, 'POST core/account/reauth', { method: 'password', password: PASSWORD }, writer);
  // Withdrawals cannot be approved while the sandbox is enabled, because its money is not real.
  const withoutSandbox = await startTestApp({
    sameDatabaseAs: t,
    startAt: t.app.services.clock(),
    config: { paySandbox: false },
  });
  const fields = { amount: 1000, account: 'first@alipay.test' };
  for (const status of Object.values(WITHDRAWAL_STATUS)) {
    const name = status % 2 === 0 ? {} : { realName: '林一' };
    const { id } = await mustCall(t, 'POST core/user/withdraw', { ...fields, ...name }, writer);
    if (status === WITHDRAWAL_STATUS.approved || status === WITHDRAWAL_STATUS.paid)
      await mustCall(
        withoutSandbox,
        'PUT core/sys/withdraw/',
        { id, status: WITHDRAWAL_STATUS.approved },
        admin,
      );
    if (status === WITHDRAWAL_STATUS.refused)
      await mustCall(withoutSandbox, 'PUT core/sys/withdraw/', { id, status, reason: '账号不对' }, admin);
    if (status === WITHDRAWAL_STATUS.paid)
      await mustCall(withoutSandbox, 'PUT core/sys/withdraw/', { id, status, tradeNo: '20260302001' }, admin);
  }
  await withoutSandbox.close();
}
