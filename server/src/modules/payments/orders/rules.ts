import { randomInt } from 'node:crypto';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import { dayOf } from '../../../day.ts';
import type { Line } from '../../platform/ledger/index.ts';
import type { Payer, ProviderName } from './providers/provider.ts';
import type { OrderRow } from './tables.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

export const EXPIRY_MS = 30 * MINUTE;

/** Minutes after an order was made at which a provider that has said nothing is asked. */
const ASKED_AT = [1, 5, 15, 30];

export function nextAsk(
  { createdAt, expiresAt }: Pick<OrderRow, 'createdAt' | 'expiresAt'>,
  now: Date,
): Date {
  const times = ASKED_AT.map((minutes) => new Date(createdAt.getTime() + minutes * MINUTE));
  return times.find((time) => time > now) ?? expiresAt;
}

/** The day in China and twelve digits. */
export function newNo(now: Date): string {
  const digits = () => String(randomInt(10 ** 6)).padStart(6, '0');
  return dayOf(now).replaceAll('-', '') + digits() + digits();
}

/** The platform's part: some of what authors earn, all that members pay, nothing of what one puts into the balance. */
export function commissionOf(kind: OrderKind, amount: number, { commissionPercent }: PriceRules): number {
  if (kind === 'member') return amount;
  return kind === 'recharge' ? 0 : Math.floor((amount * commissionPercent) / 100);
}

/** What is delivered once, and who already has it does not want it again. */
export const isKept = (kind: OrderKind): kind is 'read' | 'column' => kind === 'read' || kind === 'column';

/** What a purchase opens, by what the order is for. */
export const kindOfPurchase = ({ kind }: OrderRow) => (kind === 'column' ? 'column' : 'essay');

type Money = Pick<OrderRow, 'kind' | 'userId' | 'payeeId' | 'amount' | 'commission' | 'payBy'>;

/** Where the money comes from. */
const source = ({ payBy, userId, amount }: Money): Line =>
  payBy === 'balance'
    ? { account: 'balance', userId, amount: -amount }
    : { account: 'clearing', provider: payBy, amount: -amount };

/** Where it goes: to the author, the platform, or into one's own balance. */
function shares({ kind, userId, payeeId, amount, commission }: Money): Line[] {
  if (kind === 'recharge') return [{ account: 'balance', userId, amount }];
  const rest: Line[] =
    payeeId === null ? [] : [{ account: 'earnings', userId: payeeId, amount: amount - commission }];
  return [...rest, { account: 'commission', amount: commission }];
}

export const paymentLines = (order: Money): Line[] => [source(order), ...shares(order)];

/** For what could not be delivered: the payer's own, to buy something else with. */
export const overpaidLines = (order: Money): Line[] => [
  source(order),
  { account: 'balance', userId: order.userId, amount: order.amount },
];

/** From everyone who got some of it, back into the balance or on its way to the provider. */
export function refundLines(order: Money): Line[] {
  const back: Line =
    order.payBy === 'balance'
      ? { account: 'balance', userId: order.userId, amount: order.amount }
      : { account: 'refunds', amount: order.amount };
  return [...shares(order).map((line) => ({ ...line, amount: -line.amount })), back];
}

/** The provider has paid it back. */
export const refundSettledLines = (provider: ProviderName, amount: number): Line[] => [
  { account: 'refunds', amount: -amount },
  { account: 'clearing', provider, amount },
];

export const isTooLate = (paidAt: Date, { refundDays }: PriceRules, now: Date): boolean =>
  now.getTime() - paidAt.getTime() > refundDays * DAY;

/** From what kind of browser somebody pays. */
export function payingDevice(userAgent: string): Payer['device'] {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat';
  return /Mobile|Android|iPhone|iPad|HarmonyOS/i.test(userAgent) ? 'phone' : 'desktop';
}
