import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import type { StatementLine } from '../../orders/index.ts';
import type {
  MissingFromStatement,
  NotPosted,
  OrphanEntry,
  StatementMismatch,
} from '../queries/reconcile.ts';

type Difference = Reconciliation['differences'][number];
type Sums = Reconciliation['ledger'];

const DAY_MS = 86_400_000;

/** Midnight to midnight in China. */
export function dayBounds(day: string): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00+08:00`);
  return { from, to: new Date(from.getTime() + DAY_MS) };
}

export const dayBefore = (day: string, days = 1): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

const PROVIDER_NAMES: Record<PayBy, string> = {
  balance: '余额',
  alipay: '支付宝',
  wechat: '微信支付',
  sandbox: '演示收银台',
};

/** Payments from the balance have no statement; other providers are reconciled only with one. */
export const isReconciled = ({
  provider,
  statement,
  differences,
}: Pick<Reconciliation, 'provider' | 'statement' | 'differences'>): boolean =>
  differences.length === 0 && (provider === 'balance' || statement !== null);

export function sumStatement(lines: StatementLine[]): Sums {
  const sum = (kind: StatementLine['kind']): number =>
    lines.filter((line) => line.kind === kind).reduce((total, line) => total + line.amount, 0);
  return { count: lines.length, paid: sum('payment'), refunded: sum('refund') };
}

const yuan = (fen: number): string => `${(fen / 100).toFixed(2)} 元`;

export function toNotPostedDifference({ id, no, amount, booked, kind }: NotPosted): Difference {
  const what = kind === 'payment' ? '付款' : '退款';
  const text =
    booked === 0
      ? `订单 ${no} 的${what} ${yuan(amount)}没有记入账本`
      : `订单 ${no} 的${what}是 ${yuan(amount)}，账本记了 ${yuan(booked)}`;
  return { problem: booked === 0 ? 'missing-entry' : 'entry-amount', text, no, orderId: id };
}

export function toOrphanDifference({ title, amount, no, orderId }: OrphanEntry): Difference {
  const what = amount < 0 ? `收款 ${yuan(-amount)}` : `退款 ${yuan(amount)}`;
  const text =
    no === null
      ? `账本记了「${title}」的${what}，没有这张订单`
      : `账本记了订单 ${no} 的${what}，订单并未付清`;
  return { problem: 'missing-order', text, no: no ?? '', orderId: no === null ? null : orderId };
}

export function toMismatchDifference(
  { no, kind, amount, order }: StatementMismatch,
  provider: PayBy,
): Difference {
  const name = PROVIDER_NAMES[provider];
  const of = { no, orderId: order?.id ?? null };
  const what = kind === 'payment' ? '收' : '退';
  if (order === null)
    return {
      problem: 'missing-order',
      text: `${name}${what}了 ${yuan(amount)}（${no}），没有这张订单`,
      ...of,
    };
  if (kind === 'payment' && !order.isPaid)
    return {
      problem: 'missing-order',
      text: `${name}收了订单 ${no} 的 ${yuan(amount)}，订单没有付清`,
      ...of,
    };
  if (kind === 'refund' && !order.isRefunded)
    return {
      problem: 'missing-refund',
      text: `${name}退了订单 ${no} 的 ${yuan(amount)}，订单没有退款`,
      ...of,
    };
  const text = `订单 ${no} 是 ${yuan(order.amount)}，${name}${what}了 ${yuan(amount)}`;
  return { problem: 'amount', text, ...of };
}

export function toMissingDifference(
  { id, no, amount, kind }: MissingFromStatement,
  provider: PayBy,
): Difference {
  const isPayment = kind === 'payment';
  const text = `订单 ${no} ${isPayment ? '付了' : '退了'} ${yuan(amount)}，${PROVIDER_NAMES[provider]}的对账单里没有`;
  return { problem: isPayment ? 'missing-payment' : 'missing-refund', text, no, orderId: id };
}
