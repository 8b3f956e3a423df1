import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/wallet.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { notify, requireReauth } from '../../../accounts/users/index.ts';
import { findBalances, lockEarnings, post } from '../../../platform/ledger/index.ts';
import { getPriceRules } from '../../members/index.ts';
import { createOrderNumber } from '../../orders/index.ts';
import * as queries from '../queries/wallet.ts';
import {
  canTransition,
  decisionMessage,
  listMonthsUpTo,
  minWithdrawalMessage,
  monthRange,
} from '../rules/wallet.ts';
import type { WithdrawalRow } from '../tables.ts';

const SHOWN_MONTHS = 12;

export async function getWallet(ctx: Ctx, { id }: Viewer): Promise<Wallet> {
  const months = listMonthsUpTo(ctx.now, SHOWN_MONTHS);
  const [balances, withdrawing, found] = await Promise.all([
    findBalances(ctx.db, id),
    queries.sumPendingWithdrawals(ctx.db, id),
    queries.listMonthlySums(ctx.db, id, monthRange(months[0] ?? '').from),
  ]);
  const byMonth = new Map(found.map((row) => [row.month, row]));
  return {
    ...balances,
    withdrawing,
    months: months.map((month) => byMonth.get(month) ?? { month, earned: 0, spent: 0, recharged: 0 }),
  };
}

type NewWithdrawal = z.output<typeof calls.createWithdrawal.input>;

/** Requires re-authentication, so that an open session is not enough to withdraw money. */
export async function requestWithdrawal(
  ctx: Ctx,
  viewer: Viewer,
  input: NewWithdrawal,
): Promise<WithdrawalRow> {
  await requireReauth(ctx, viewer);
  return withdraw(ctx, viewer, input);
}

export async function withdraw(
  ctx: Ctx,
  viewer: Viewer,
  { amount, account, realName = '' }: NewWithdrawal,
): Promise<WithdrawalRow> {
  const { withdrawMin } = await getPriceRules(ctx);
  if (amount < withdrawMin) throw invalidField('amount', minWithdrawalMessage(withdrawMin));
  return inTransaction(ctx, async (ctx) => {
    if (amount > (await lockEarnings(ctx.db, viewer.id))) throw new CallError('EARNINGS_TOO_LOW');
    const withdrawal = await queries.insertWithdrawal(ctx.db, {
      id: newId(),
      no: createOrderNumber(ctx.now),
      userId: viewer.id,
      amount,
      account,
      realName,
      createdAt: ctx.now,
    });
    await post(ctx, {
      kind: 'withdraw',
      title: '提现',
      withdrawalId: withdrawal.id,
      lines: [
        { account: 'earnings', userId: viewer.id, amount: -amount },
        { account: 'withdrawals', amount },
      ],
    });
    return withdrawal;
  });
}

type Decision = z.output<typeof calls.decideWithdrawal.input>;

/** A refusal returns the money to the earnings, a payment moves it to the bank; an approval posts nothing. */
async function postDecision(ctx: Ctx, { id, userId, amount }: WithdrawalRow, status: Decision['status']) {
  const released = { account: 'withdrawals', amount: -amount } as const;
  if (status === WITHDRAWAL_STATUS.refused)
    await post(ctx, {
      kind: 'withdraw-refused',
      title: '提现被退回',
      withdrawalId: id,
      lines: [released, { account: 'earnings', userId, amount }],
    });
  if (status === WITHDRAWAL_STATUS.paid)
    await post(ctx, {
      kind: 'withdraw-paid',
      title: '提现打款',
      withdrawalId: id,
      lines: [released, { account: 'clearing', provider: 'bank', amount }],
    });
}

const toLog = ({ status, reason, tradeNo }: Pick<WithdrawalRow, 'status' | 'reason' | 'tradeNo'>) => ({
  status,
  reason,
  tradeNo,
});

export function decideWithdrawal(
  ctx: Ctx,
  actor: Viewer,
  { id, status, reason = '', tradeNo = '' }: Decision,
): Promise<queries.StaffWithdrawalRow> {
  if (status === WITHDRAWAL_STATUS.refused && reason === '')
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，作者会看到' } });
  if (status === WITHDRAWAL_STATUS.paid && tradeNo === '')
    throw invalidField('tradeNo', '请填写打款的流水号');
  // Earnings from sandbox payments are not real money.
  if (status === WITHDRAWAL_STATUS.paid && ctx.services.config.paySandbox) throw new CallError('SANDBOX_ON');
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.withdrawalRows.lock(ctx.db, id);
    if (before.userId === actor.id) throw new CallError('WITHDRAW_OWN');
    if (!canTransition(before.status, status)) throw new CallError('ALREADY_HANDLED');
    const after = {
      status,
      reason: status === WITHDRAWAL_STATUS.refused ? reason : before.reason,
      tradeNo: status === WITHDRAWAL_STATUS.paid ? tradeNo : '',
    };
    await queries.withdrawalRows.update(ctx.db, id, {
      ...after,
      ...(status === WITHDRAWAL_STATUS.paid
        ? { paidAt: ctx.now }
        : { decidedBy: actor.id, decidedAt: ctx.now }),
    });
    // Before the inbox, as in refunds.
    await lockEarnings(ctx.db, before.userId);
    await notify(ctx, {
      userId: before.userId,
      kind: 'system',
      text: decisionMessage(status, { ...before, ...after }),
    });
    logChange(ctx, `withdraw:${id}`, toLog(before), toLog(after));
    if (status !== WITHDRAWAL_STATUS.approved) await postDecision(ctx, before, status);
    return queries.getStaffWithdrawal(ctx.db, id);
  });
}
