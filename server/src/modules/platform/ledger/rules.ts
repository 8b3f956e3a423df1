import type { EntryKind, LedgerAccount } from '@mozhan/contract/ledger.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';

/** Who takes money in for us, or pays it out: the bank is where withdrawals go. */
type Holder = Exclude<PayBy, 'balance'> | 'bank';

/** What is owed grows by a positive amount, what a provider holds for us by a negative one. */
export type Line =
  | { account: 'balance' | 'earnings'; userId: string; amount: number }
  | { account: 'clearing'; provider: Holder; amount: number }
  | { account: 'commission' | 'refunds' | 'withdrawals'; amount: number };

export interface Entry {
  kind: EntryKind;
  /** What it was about, as it was called then. */
  title: string;
  orderId?: string;
  withdrawalId?: string;
  lines: Line[];
}

export interface AccountKey {
  account: LedgerAccount;
  userId: string | null;
  provider: string;
  slot: number;
}

/** Rows of each account of the platform. */
export const SLOTS = 16;

export function keyOf(line: Line, slot: number): AccountKey {
  if ('userId' in line) return { account: line.account, userId: line.userId, provider: '', slot: 0 };
  const provider = 'provider' in line ? line.provider : '';
  return { account: line.account, userId: null, provider, slot };
}

/** By what an account can be moved at all, so that rare ones are not looked for among all entries. */
export const kindsOf: Record<LedgerAccount, readonly EntryKind[]> = {
  balance: ['recharge', 'read', 'column', 'reward', 'member', 'refund', 'overpaid'],
  earnings: ['read', 'column', 'reward', 'refund', 'withdraw', 'withdraw-refused'],
  commission: ['read', 'column', 'reward', 'member', 'refund'],
  refunds: ['refund', 'refund-settled'],
  withdrawals: ['withdraw', 'withdraw-refused', 'withdraw-paid'],
  clearing: ['recharge', 'read', 'column', 'reward', 'member', 'refund-settled', 'overpaid', 'withdraw-paid'],
};
