import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentInstructions } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';

export type ProviderName = Exclude<PayBy, 'balance'>;

export interface PaymentRequest {
  /** The order's number at the provider. */
  no: string;
  title: string;
  /** Fen. */
  amount: number;
  expiresAt: Date;
}

export interface Payer {
  device: 'desktop' | 'phone' | 'wechat';
  address: string;
  /** OAuth code from WeChat's authorisation page. */
  wechatCode: string | undefined;
  /** The provider redirects here after the payment. */
  returnUrl: string;
}

export interface Payment {
  no: string;
  tradeNo: string;
  amount: number;
  paidAt: Date;
}

export interface Refund {
  no: string;
  /** Repeated requests with the same number pay back once. */
  refundNo: string;
  amount: number;
  reason: string;
}

/**
 * `closed`: nothing was paid back, and a request with a new number is needed. `abnormal`: the payer's bank did not accept
 * the money, which waits at the provider. `failed`: the request was refused.
 */
export type RefundState = 'done' | 'pending' | 'closed' | 'abnormal' | 'failed';

export interface StatementLine {
  no: string;
  tradeNo: string;
  kind: 'payment' | 'refund';
  amount: number;
}

export interface Callback {
  headers: IncomingHttpHeaders;
  /** The raw body, which the signature covers. */
  body: string;
}

export interface CallbackResult {
  /** Null if the callback is not about a payment. */
  payment: Payment | null;
  /** The response that acknowledges the callback. */
  reply: { status: number; type: string; body: string };
}

/** The interface of Alipay, WeChat Pay and the sandbox. Failed requests throw a CallError PAY_FAILED. */
export interface Provider {
  start: (request: PaymentRequest, payer: Payer) => Promise<PaymentInstructions>;
  /** Returns the URL of WeChat's authorisation page, which redirects back with a code; WeChat only. */
  authorize?: (backUrl: string) => string;
  /** Returns null if the order is not paid. */
  query: (no: string) => Promise<Payment | null>;
  /** Prevents later payments; an order that was already paid stays paid. */
  close: (no: string) => Promise<void>;
  refund: (refund: Refund) => Promise<RefundState>;
  /** Sends the money of an abnormal refund to the merchant's bank account; WeChat only. */
  refundToShop?: (refundNo: string) => Promise<void>;
  /** Throws MALFORMED unless the provider signed the callback for this merchant. */
  parseCallback: (callback: Callback) => Promise<CallbackResult>;
  /** For a day in China; returns null if the statement is not ready yet. */
  listStatement: (day: string) => Promise<StatementLine[] | null>;
}

export type Providers = Partial<Record<ProviderName, Provider>>;
