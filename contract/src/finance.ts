import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { orderKind } from './orders.ts';

const day = z.iso.date().meta({ title: '日期', description: '北京时间' });

/** One mismatch between ledger, orders and the provider's statement. */
const difference = z.object({
  problem: z.enum([
    'missing-order',
    'missing-payment',
    'amount',
    'missing-entry',
    'entry-amount',
    'missing-refund',
  ]),
  text: z.string().meta({ description: '一句话：哪里不一致' }),
  no: z.string().meta({ description: '订单号；支付方有而我们没有时为支付方所记的' }),
  orderId: id.nullable(),
});

const sums = z.object({ count: z.int(), paid: z.int(), refunded: z.int() });

const reconciliation = z.object({
  id,
  day,
  provider: z.enum(['balance', 'alipay', 'wechat', 'sandbox']),
  ledger: sums,
  orders: sums,
  statement: sums.nullable().meta({ description: '支付方的对账单；余额没有，取不到时为空' }),
  note: z.string().meta({ description: '取不到对账单的原因' }),
  differences: z.array(difference),
  agrees: z.boolean(),
  createdAt: time,
});
export type Reconciliation = z.output<typeof reconciliation>;

export const listReconciliations = defineCall({
  method: 'GET',
  path: 'core/sys/finance/reconciliation',
  summary: '每日对账：账本、订单与支付方的对账单，新的在前',
  access: 'finance:list',
  input: listInput.extend({ day: day.optional() }),
  output: pageOf(reconciliation),
});

export const reconcile = defineCall({
  method: 'POST',
  path: 'core/sys/finance/reconciliation',
  summary: '对某一天再对一次账',
  access: 'finance:update',
  input: z.object({ day }),
  output: z.array(reconciliation),
  limit: { max: 60, per: 3600 },
});

export const getRevenue = defineCall({
  method: 'GET',
  path: 'core/sys/finance/revenue',
  summary: '最近若干天的流水、平台收入与退款（按北京时间）',
  access: 'finance:list',
  input: z.object({ days: z.int().min(7).max(366).default(30).meta({ title: '天数' }) }),
  output: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        turnover: z.int().meta({ description: '付清的订单，不含充值（花掉时才算）' }),
        commission: z.int().meta({ description: '其中归平台的；退了款的不算' }),
        refunded: z.int(),
        orders: z.int(),
      }),
    ),
    kinds: z
      .array(z.object({ kind: orderKind, amount: z.int(), orders: z.int() }))
      .meta({ description: '付清的订单，按类型，含充值' }),
    total: z.object({ turnover: z.int(), commission: z.int(), refunded: z.int(), orders: z.int() }),
  }),
});

export const calls = [listReconciliations, reconcile, getRevenue] as const;
