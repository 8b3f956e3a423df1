import { z } from 'zod';
import { dayRange, id, listInput, oneOf, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { WITHDRAWAL_STATUS } from './enums.ts';
import { fen } from './prices.ts';
import { userCard } from './users.ts';

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, '月份的格式是 2026-11')
  .meta({ title: '月份', description: '北京时间' });

export const getWallet = defineCall({
  method: 'GET',
  path: 'core/user/wallet',
  summary: '余额、收益，与最近十二个月的收支',
  access: 'user',
  input: z.object({}),
  output: z.object({
    balance: z.int(),
    earnings: z.int().meta({ description: '作者可提现的收益；退款扣回后可能为负' }),
    withdrawing: z.int().meta({ description: '正在提现的' }),
    months: z.array(
      z.object({
        month,
        earned: z.int().meta({ description: '收益：售出与打赏，减去退款' }),
        spent: z.int().meta({ description: '用余额付出的，减去退款' }),
        recharged: z.int(),
      }),
    ),
  }),
});
export type Wallet = z.output<typeof getWallet.output>;

const pocket = z.enum(['balance', 'earnings']).meta({ title: '账户' });

const walletEntry = z.object({
  id,
  pocket,
  amount: z.int().meta({ description: '收入为正，支出为负' }),
  balanceAfter: z.int(),
  title: z.string().meta({ description: '一句话：售出《…》、充值、提现……' }),
  orderId: id.nullable(),
  createdAt: time,
});
export type WalletEntry = z.output<typeof walletEntry>;

export const listWalletEntries = defineCall({
  method: 'GET',
  path: 'core/user/wallet/entry',
  summary: '账单，新的在前',
  access: 'user',
  input: listInput.extend({ month: month.optional(), pocket: pocket.optional() }),
  output: pageOf(walletEntry),
});

const { waiting, approved, refused, paid } = WITHDRAWAL_STATUS;

export const withdrawalStatus = oneOf(waiting, approved, refused, paid).meta({
  title: '状态',
  description: '0 待审批，1 已批准待打款，2 已拒绝，3 已打款',
});

const withdrawal = z.object({
  id,
  no: z.string(),
  amount: z.int(),
  account: z.string().meta({ description: '收款账户' }),
  realName: z.string(),
  status: withdrawalStatus,
  reason: z.string().meta({ description: '拒绝的理由' }),
  tradeNo: z.string().meta({ description: '打款的流水号' }),
  createdAt: time,
  decidedAt: time.nullable(),
  paidAt: time.nullable(),
});
export type Withdrawal = z.output<typeof withdrawal>;

export const listWithdrawals = defineCall({
  method: 'GET',
  path: 'core/user/withdraw',
  summary: '自己的提现，新的在前',
  access: 'user',
  input: listInput,
  output: pageOf(withdrawal),
});

export const createWithdrawal = defineCall({
  method: 'POST',
  path: 'core/user/withdraw',
  summary: '作者：申请提现，从收益中扣下',
  access: 'writer',
  input: z.object({
    amount: fen.min(100).max(100_000_000).meta({ title: '金额（分）' }),
    account: z
      .string()
      .trim()
      .min(4)
      .max(100)
      .meta({ title: '收款账户', description: '支付宝账号或银行卡号与开户行' }),
    realName: z.string().trim().min(1).max(30).optional().meta({ title: '收款人姓名' }),
  }),
  output: withdrawal,
  errors: ['EARNINGS_TOO_LOW', 'REAUTH_REQUIRED'],
  limit: { max: 30, per: 3600 },
});

const staffWithdrawal = withdrawal.extend({
  user: userCard.nullable(),
  decidedBy: userCard.nullable(),
  earnings: z.int().meta({ description: '此人现在的收益余额' }),
});
export type StaffWithdrawal = z.output<typeof staffWithdrawal>;

export const listStaffWithdrawals = defineCall({
  method: 'GET',
  path: 'core/sys/withdraw/',
  summary: '提现申请，新的在前',
  access: 'withdraw:list',
  input: listInput.extend({
    status: withdrawalStatus.optional(),
    keyword: z.string().trim().max(50).optional().meta({ title: '单号、昵称或账号' }),
    userId: id.optional().meta({ title: '作者' }),
    ...dayRange,
    ...sortBy('createdAt', 'amount'),
  }),
  output: pageOf(staffWithdrawal).extend({
    payable: z.boolean().meta({ description: '演示收银台开着时不能打款' }),
    unreal: z.int().meta({ description: '账本里有多少钱是演示收银台收进的，不是真钱' }),
  }),
});

export const decideWithdrawal = defineCall({
  method: 'PUT',
  path: 'core/sys/withdraw/',
  summary: '批准（1）、拒绝（2，要写理由，钱退回收益）、记为已打款（3，要写流水号）',
  access: 'withdraw:update',
  input: z.object({
    id,
    status: oneOf(approved, refused, paid).meta({ title: '状态' }),
    reason: z.string().trim().max(200).optional().meta({ title: '理由' }),
    tradeNo: z.string().trim().max(64).optional().meta({ title: '打款流水号' }),
  }),
  output: staffWithdrawal,
  errors: ['REASON_REQUIRED', 'ALREADY_HANDLED', 'SANDBOX_ON', 'WITHDRAW_OWN'],
});

export const calls = [
  getWallet,
  listWalletEntries,
  listWithdrawals,
  createWithdrawal,
  listStaffWithdrawals,
  decideWithdrawal,
] as const;
