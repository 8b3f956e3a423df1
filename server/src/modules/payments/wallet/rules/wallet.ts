import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { EntryKind } from '@mozhan/contract/ledger.ts';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { WalletEntry, Withdrawal } from '@mozhan/contract/wallet.ts';
import { chinaDayOf } from '../../../../day.ts';

type Status = Withdrawal['status'];

/** Allowed transitions; `refused` and `paid` are final. */
const transitions: Record<Status, readonly Status[]> = {
  [WITHDRAWAL_STATUS.waiting]: [WITHDRAWAL_STATUS.approved, WITHDRAWAL_STATUS.refused],
  [WITHDRAWAL_STATUS.approved]: [WITHDRAWAL_STATUS.refused, WITHDRAWAL_STATUS.paid],
  [WITHDRAWAL_STATUS.refused]: [],
  [WITHDRAWAL_STATUS.paid]: [],
};

export const canTransition = (from: Status, to: Status): boolean => transitions[from].includes(to);

/** Without trailing zeros: `12.5`. */
const yuan = (fen: number): string => String(fen / 100);

export const minWithdrawalMessage = (fen: number): string => `每次至少提现 ${yuan(fen)} 元`;

export function decisionMessage(
  status: Exclude<Status, typeof WITHDRAWAL_STATUS.waiting>,
  { no, amount, reason, tradeNo }: { no: string; amount: number; reason: string; tradeNo: string },
): string {
  const what = `你的提现申请（${yuan(amount)} 元，单号 ${no}）`;
  if (status === WITHDRAWAL_STATUS.approved) return `${what}已批准，等待打款。`;
  if (status === WITHDRAWAL_STATUS.refused) return `${what}没有通过：${reason}。钱已退回你的收益。`;
  return `${what}已打款，流水号 ${tradeNo}。`;
}

export interface WalletMovement {
  kind: EntryKind;
  title: string;
  pocket: WalletEntry['pocket'];
  amount: number;
  orderKind: OrderKind | null;
}

const nameOf = ({ title, orderKind }: WalletMovement): string => {
  if (orderKind === 'member') return `：${title}`;
  return orderKind === 'column' ? `专栏《${title}》` : `《${title}》`;
};

export function describeMovement(movement: WalletMovement): string {
  const { kind, pocket, amount, orderKind } = movement;
  const isEarned = pocket === 'earnings';
  if (kind === 'recharge') return '充值';
  if (kind === 'withdraw') return '提现';
  if (kind === 'withdraw-refused') return '提现被退回';
  if (kind === 'overpaid') return `重复支付，已退到余额${nameOf(movement)}`;
  if (kind === 'refund') {
    if (orderKind === 'recharge' && amount < 0) return '充值退款';
    return isEarned ? `退款扣回${nameOf(movement)}` : `退款${nameOf(movement)}`;
  }
  if (kind === 'reward') return isEarned ? `收到打赏${nameOf(movement)}` : `打赏${nameOf(movement)}`;
  if (kind === 'member') return `开通会员：${movement.title}`;
  return isEarned ? `售出${nameOf(movement)}` : `购买${nameOf(movement)}`;
}

/** In the time zone of China. */
export const monthOf = (time: Date): string => chinaDayOf(time).slice(0, 7);

function addMonths(month: string, count: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + count);
  return first.toISOString().slice(0, 7);
}

const startOfMonth = (month: string): Date => new Date(`${month}-01T00:00:00+08:00`);

export const monthRange = (month: string) => ({
  from: startOfMonth(month),
  to: startOfMonth(addMonths(month, 1)),
});

export const listMonthsUpTo = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) => addMonths(monthOf(now), i + 1 - count));
