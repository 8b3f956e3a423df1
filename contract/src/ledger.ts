import { z } from 'zod';
import { dayRange, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

/**
 * Money of users (balance, earnings), of the platform (commission), in transit (refunds to providers, withdrawals
 * to writers), and held by payment providers (clearing).
 */
export const ledgerAccounts = [
  'balance',
  'earnings',
  'commission',
  'refunds',
  'withdrawals',
  'clearing',
] as const;
export const ledgerAccount = z.enum(ledgerAccounts).meta({ title: '账户' });
export type LedgerAccount = z.output<typeof ledgerAccount>;

export const entryKind = z
  .enum([
    'recharge',
    'read',
    'column',
    'reward',
    'member',
    'refund',
    'refund-settled',
    'overpaid',
    'withdraw',
    'withdraw-refused',
    'withdraw-paid',
  ])
  .meta({ title: '事由' });
export type EntryKind = z.output<typeof entryKind>;

const line = z.object({
  account: ledgerAccount,
  user: userCard.nullable().meta({ description: '平台的账户、已注销的人为空' }),
  provider: z.string().meta({ description: '清算账户：哪个支付方' }),
  amount: z.int(),
  balanceAfter: z.int(),
});

const entry = z.object({
  id,
  kind: entryKind,
  title: z.string(),
  orderId: id.nullable(),
  withdrawalId: id.nullable(),
  lines: z.array(line).meta({ description: '各行之和为零' }),
  createdAt: time,
});
export type LedgerEntry = z.output<typeof entry>;

export const listLedger = defineCall({
  method: 'GET',
  path: 'core/sys/ledger/',
  summary: '账本的分录，新的在前；sum 为所有账户之和，永远是零',
  access: 'ledger:list',
  input: listInput.extend({
    userId: id.optional().meta({ title: '用户' }),
    account: ledgerAccount.optional(),
    kind: entryKind.optional(),
    orderId: id.optional().meta({ title: '订单' }),
    withdrawalId: id.optional().meta({ title: '提现' }),
    keyword: z
      .string()
      .trim()
      .max(64)
      .optional()
      .meta({ title: '关键词', description: '订单号、交易号或提现单号' }),
    ...dayRange,
    ...sortBy('createdAt'),
  }),
  output: pageOf(entry).extend({
    sum: z.int(),
    accounts: z.array(
      z
        .object({ account: ledgerAccount, provider: z.string(), balance: z.int() })
        .meta({ description: '每类账户的合计' }),
    ),
  }),
});

export const calls = [listLedger] as const;
