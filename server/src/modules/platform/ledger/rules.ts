import type { EntryKind, LedgerAccount } from '@mozhan/contract/ledger.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';

/** Receives or pays money for us; withdrawals are paid by the bank. */
type MoneyHolder = Exclude<PayBy, 'balance'> | 'bank';

/** A positive amount increases what we owe; a negative one increases what a provider holds for us. */
export type LedgerLine =
  | { account: 'balance' | 'earnings'; userId: string; amount: number }
  | { account: 'clearing'; provider: MoneyHolder; amount: number }
  | { account: 'commission' | 'refunds' | 'withdrawals'; amount: number };

export interface LedgerEntry {
  kind: EntryKind;
  /** Title of the purchased item at the time of the entry. */
  title: string;
  orderId?: string;
  withdrawalId?: string;
  lines: LedgerLine[];
}

export interface AccountKey {
  account: LedgerAccount;
  userId: string | null;
  provider: string;
  slot: number;
}

/** Number of rows of each platform account; several rows reduce lock contention. */
export const ROWS_PER_ACCOUNT = 16;

export function toAccountKey(line: LedgerLine, slot: number): AccountKey {
  if ('userId' in line) return { account: line.account, userId: line.userId, provider: '', slot: 0 };
  const provider = 'provider' in line ? line.provider : '';
  return { account: line.account, userId: null, provider, slot };
}

/** The entry kinds that can affect an account; queries use it to avoid scanning all entries for rare accounts. */
export const entryKindsOfAccount: Record<LedgerAccount, readonly EntryKind[]> = {
  balance: ['recharge', 'read', 'column', 'reward', 'member', 'refund', 'overpaid'],
  earnings: ['read', 'column', 'reward', 'refund', 'withdraw', 'withdraw-refused'],
  commission: ['read', 'column', 'reward', 'member', 'refund'],
  refunds: ['refund', 'refund-settled'],
  withdrawals: ['withdraw', 'withdraw-refused', 'withdraw-paid'],
  clearing: ['recharge', 'read', 'column', 'reward', 'member', 'refund-settled', 'overpaid', 'withdraw-paid'],
};
