import { randomInt } from 'node:crypto';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import { chinaDayOf } from '../../../day.ts';
import type { LedgerLine } from '../../platform/ledger/index.ts';
import type { Payer, ProviderName } from './providers/provider.ts';
import type { OrderRow } from './tables.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export const ORDER_EXPIRY_MS = 30 * MINUTE;

const QUERY_MINUTES = [1, 5, 15, 30];

export function nextQueryTime(
  { createdAt, expiresAt }: Pick<OrderRow, 'createdAt' | 'expiresAt'>,
  now: Date,
): Date {
  const times = QUERY_MINUTES.map((minutes) => new Date(createdAt.getTime() + minutes * MINUTE));
  return times.find((time) => time > now) ?? expiresAt;
}

/** The day in China and twelve random digits. */
export function createOrderNumber(now: Date): string {
  const digits = () => String(randomInt(10 ** 6)).padStart(6, '0');
  return chinaDayOf(now).replaceAll('-', '') + digits() + digits();
}

/** The platform gets a percentage of sales, all of memberships, and nothing of recharges. */
export function commissionOf(kind: OrderKind, amount: number, { commissionPercent }: PriceRules): number {
  if (kind === 'member') return amount;
  return kind === 'recharge' ? 0 : Math.floor((amount * commissionPercent) / 100);
}

/** Kinds that grant a permanent right to read, so that a user needs to buy them only once. */
export const isReadingRight = (kind: OrderKind): kind is 'read' | 'column' =>
  kind === 'read' || kind === 'column';

export const purchaseKindOf = ({ kind }: OrderRow) => (kind === 'column' ? 'column' : 'essay');

type OrderMoney = Pick<OrderRow, 'kind' | 'userId' | 'payeeId' | 'amount' | 'commission' | 'payBy'>;

const debitLine = ({ payBy, userId, amount }: OrderMoney): LedgerLine =>
  payBy === 'balance'
    ? { account: 'balance', userId, amount: -amount }
    : { account: 'clearing', provider: payBy, amount: -amount };

/** Credits to the author, the platform, or the payer's own balance. */
function creditLines({ kind, userId, payeeId, amount, commission }: OrderMoney): LedgerLine[] {
  if (kind === 'recharge') return [{ account: 'balance', userId, amount }];
  const rest: LedgerLine[] =
    payeeId === null ? [] : [{ account: 'earnings', userId: payeeId, amount: amount - commission }];
  return [...rest, { account: 'commission', amount: commission }];
}

export const paymentLines = (order: OrderMoney): LedgerLine[] => [debitLine(order), ...creditLines(order)];

/** Credits a payment that could not be delivered to the payer's balance. */
export const overpaidLines = (order: OrderMoney): LedgerLine[] => [
  debitLine(order),
  { account: 'balance', userId: order.userId, amount: order.amount },
];

/** Reverses the credits, to the payer's balance or to the pending refunds of the provider. */
export function refundLines(order: OrderMoney): LedgerLine[] {
  const back: LedgerLine =
    order.payBy === 'balance'
      ? { account: 'balance', userId: order.userId, amount: order.amount }
      : { account: 'refunds', amount: order.amount };
  return [...creditLines(order).map((line) => ({ ...line, amount: -line.amount })), back];
}

/** Posted when the provider has paid back. */
export const refundSettledLines = (provider: ProviderName, amount: number): LedgerLine[] => [
  { account: 'refunds', amount: -amount },
  { account: 'clearing', provider, amount },
];

export const isRefundPeriodOver = (paidAt: Date, { refundDays }: PriceRules, now: Date): boolean =>
  now.getTime() - paidAt.getTime() > refundDays * DAY;

export function detectDevice(userAgent: string): Payer['device'] {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat';
  return /Mobile|Android|iPhone|iPad|HarmonyOS/i.test(userAgent) ? 'phone' : 'desktop';
}

/** The number of the refund at the provider. WeChat requires a new one after a refund was closed. */
export const refundNoOf = ({ no, refundAttempt }: Pick<OrderRow, 'no' | 'refundAttempt'>): string =>
  refundAttempt === 1 ? `R${no}` : `R${no}N${refundAttempt}`;
