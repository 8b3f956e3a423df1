import type { EntryKind, LedgerAccount, LedgerEntry } from '@mozhan/contract/ledger.ts';
import { nameOfProvider } from './money-labels.ts';

export const entryKinds: Record<EntryKind, string> = {
  recharge: '充值',
  read: '售出文章',
  column: '售出专栏',
  reward: '打赏',
  member: '开通会员',
  refund: '退款',
  'refund-settled': '退款到账',
  overpaid: '重复支付',
  withdraw: '申请提现',
  'withdraw-refused': '提现退回',
  'withdraw-paid': '提现打款',
};

export const accountNames: Record<LedgerAccount, string> = {
  balance: '用户余额',
  earnings: '作者收益',
  commission: '平台收入',
  refunds: '退款在途',
  withdrawals: '提现在途',
  clearing: '清算',
};

/** Clearing accounts include the provider: 清算 · 支付宝. */
export const nameOfAccount = ({ account, provider }: { account: LedgerAccount; provider: string }): string =>
  provider === '' ? accountNames[account] : `${accountNames[account]} · ${nameOfProvider(provider)}`;

type Line = LedgerEntry['lines'][number];

export const nameOfLine = (line: Line): string =>
  line.user === null ? nameOfAccount(line) : `${nameOfAccount(line)} · ${line.user.displayName}`;

/** Amount of an entry: the sum of its positive lines. */
export const entryAmount = ({ lines }: LedgerEntry): number =>
  lines.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
