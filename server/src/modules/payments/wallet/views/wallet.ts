import type { StaffWithdrawal, WalletEntry, Withdrawal } from '@mozhan/contract/wallet.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { StaffWithdrawalRow, WalletRow } from '../queries/wallet.ts';
import { describeMovement } from '../rules/wallet.ts';
import type { WithdrawalRow } from '../tables.ts';

export function toWalletEntry(row: WalletRow): WalletEntry {
  return {
    id: row.id,
    pocket: row.pocket,
    amount: row.amount,
    balanceAfter: row.balanceAfter,
    title: describeMovement(row),
    orderId: row.orderId,
    createdAt: row.createdAt.toISOString(),
  };
}

export function toWithdrawal(withdrawal: WithdrawalRow): Withdrawal {
  return {
    id: withdrawal.id,
    no: withdrawal.no,
    amount: withdrawal.amount,
    account: withdrawal.account,
    realName: withdrawal.realName,
    status: withdrawal.status,
    reason: withdrawal.reason,
    tradeNo: withdrawal.tradeNo,
    createdAt: withdrawal.createdAt.toISOString(),
    decidedAt: withdrawal.decidedAt?.toISOString() ?? null,
    paidAt: withdrawal.paidAt?.toISOString() ?? null,
  };
}

export function toStaffWithdrawal(
  { withdrawal, user, decider, earnings }: StaffWithdrawalRow,
  now: Date,
): StaffWithdrawal {
  return {
    ...toWithdrawal(withdrawal),
    user: user === null ? null : toUserCard(user, now),
    decidedBy: decider === null ? null : toUserCard(decider, now),
    earnings,
  };
}
