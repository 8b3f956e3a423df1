import type { IncomingHttpHeaders } from 'node:http';
import type { Pay } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';

export type ProviderName = Exclude<PayBy, 'balance'>;

/** What is to be paid. */
export interface Bill {
  /** The order's number, by which the provider knows it. */
  no: string;
  title: string;
  /** Fen. */
  amount: number;
  expiresAt: Date;
}

/** Who pays, and from where. */
export interface Payer {
  device: 'desktop' | 'phone' | 'wechat';
  address: string;
  /** What WeChat's own page gave the browser inside it. */
  wechatCode: string | undefined;
  /** Where the provider's page leads back to. */
  returnUrl: string;
}

/** What a provider says was paid. */
export interface Payment {
  no: string;
  tradeNo: string;
  amount: number;
  paidAt: Date;
}

export interface Refund {
  no: string;
  /** One for each order: asking again with it pays nothing twice. */
  refundNo: string;
  amount: number;
  reason: string;
}

export type RefundState = 'done' | 'pending' | 'failed';

/** A line of the provider's own books. */
export interface StatementLine {
  no: string;
  tradeNo: string;
  kind: 'payment' | 'refund';
  amount: number;
}

export interface Callback {
  headers: IncomingHttpHeaders;
  /** As it came: signatures are over these very characters. */
  body: string;
}

export interface Reading {
  /** Null: it tells of something else than a payment. */
  payment: Payment | null;
  /** What the provider wants to hear so that it does not call again. */
  reply: { status: number; type: string; body: string };
}

/** All that we want of Alipay, WeChat Pay and the sandbox. What fails on the way is a CallError PAY_FAILED. */
export interface Provider {
  start: (bill: Bill, payer: Payer) => Promise<Pay>;
  /** WeChat's own page that asks who is there and leads back with a code; others want none. */
  authorize?: (backUrl: string) => string;
  /** Null: not paid (yet). */
  query: (no: string) => Promise<Payment | null>;
  /** Nobody can pay it any more; one that was paid meanwhile stays paid. */
  close: (no: string) => Promise<void>;
  refund: (refund: Refund) => Promise<RefundState>;
  /** Refuses what was not signed by the provider for this very shop with MALFORMED. */
  read: (callback: Callback) => Promise<Reading>;
  /** Of a day in China; null: it is not ready yet. */
  listStatement: (day: string) => Promise<StatementLine[] | null>;
}

export type Providers = Partial<Record<ProviderName, Provider>>;
