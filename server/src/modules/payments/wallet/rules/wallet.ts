import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { EntryKind } from '@mozhan/contract/ledger.ts';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { WalletEntry, Withdrawal } from '@mozhan/contract/wallet.ts';
import { dayOf } from '../../../../day.ts';

type Status = Withdrawal['status'];

/** From where to where; refused and paid are ends. */
const ways: Record<Status, readonly Status[]> = {
  [WITHDRAWAL_STATUS.waiting]: [WITHDRAWAL_STATUS.approved, WITHDRAWAL_STATUS.refused],
  [WITHDRAWAL_STATUS.approved]: [WITHDRAWAL_STATUS.refused, WITHDRAWAL_STATUS.paid],
  [WITHDRAWAL_STATUS.refused]: [],
  [WITHDRAWAL_STATUS.paid]: [],
};

export const canBecome = (from: Status, to: Status): boolean => ways[from].includes(to);

/** Cents only where there are some: `12.5`. */
const yuan = (fen: number): string => String(fen / 100);

export const leastWithdrawn = (fen: number): string => `每次最少提现 ${yuan(fen)} 元`;

/** What the writer is told of a decision. */
export function decisionSentence(
  status: Exclude<Status, typeof WITHDRAWAL_STATUS.waiting>,
  { no, amount, reason, tradeNo }: { no: string; amount: number; reason: string; tradeNo: string },
): string {
  const what = `你的提现申请（${yuan(amount)} 元，单号 ${no}）`;
  if (status === WITHDRAWAL_STATUS.approved) return `${what}已批准，等待打款。`;
  if (status === WITHDRAWAL_STATUS.refused) return `${what}没有通过：${reason}。钱已退回你的收益。`;
  return `${what}已打款，流水号 ${tradeNo}。`;
}

export interface Movement {
  kind: EntryKind;
  title: string;
  pocket: WalletEntry['pocket'];
  amount: number;
  /** Of what a refund is of. */
  orderKind: OrderKind | null;
}

const nameOf = ({ title, orderKind }: Movement): string => {
  if (orderKind === 'member') return `：${title}`;
  return orderKind === 'column' ? `专栏《${title}》` : `《${title}》`;
};

/** A line of somebody's wallet, in one sentence. */
export function sentenceOf(movement: Movement): string {
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

/** In China, where the readers are. */
export const monthOf = (time: Date): string => dayOf(time).slice(0, 7);

function addMonths(month: string, count: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + count);
  return first.toISOString().slice(0, 7);
}

const beginOf = (month: string): Date => new Date(`${month}-01T00:00:00+08:00`);

export const spanOf = (month: string) => ({ from: beginOf(month), to: beginOf(addMonths(month, 1)) });

/** So many up to this one, the newest last. */
export const monthsUpTo = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) => addMonths(monthOf(now), i + 1 - count));
