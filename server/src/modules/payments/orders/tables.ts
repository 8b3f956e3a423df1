import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type {
  Invoice,
  OrderKind,
  OrderStatus,
  PaymentInstructions,
  RefundProblem,
} from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const orders = pgTable('orders', {
  id: uuid().primaryKey(),
  no: text().notNull(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<OrderKind>().notNull(),
  targetId: uuid('target_id'),
  title: text().notNull(),
  payeeId: uuid('payee_id'),
  amount: integer().notNull(),
  commission: integer().notNull(),
  days: integer().notNull().default(0),
  message: text().notNull().default(''),
  payBy: text('pay_by').$type<PayBy>().notNull(),
  status: smallint().$type<OrderStatus>().notNull().default(ORDER_STATUS.waiting),
  requestId: text('request_id'),
  pay: jsonb().$type<PaymentInstructions>(),
  tradeNo: text('trade_no').notNull().default(''),
  invoice: jsonb().$type<Invoice>(),
  expiresAt: time('expires_at').notNull(),
  askAt: time('ask_at').notNull(),
  paidAt: time('paid_at'),
  refundedAt: time('refunded_at'),
  refundReason: text('refund_reason').notNull().default(''),
  refundedBy: uuid('refunded_by'),
  refundSettledAt: time('refund_settled_at'),
  /** Part of the number of the refund at the provider. */
  refundAttempt: smallint('refund_attempt').notNull().default(1),
  /** Why the provider has not paid back; null if it has, or is still working on it. */
  refundProblem: text('refund_problem').$type<RefundProblem>(),
  createdAt: time('created_at').notNull(),
});
export type OrderRow = typeof orders.$inferSelect;

export const unnotifiedOrders = pgTable('untold_orders', {
  orderId: uuid('order_id').primaryKey(),
  createdAt: time('created_at').notNull(),
});

export const sandboxPayments = pgTable('sandbox_payments', {
  no: text().primaryKey(),
  title: text().notNull(),
  amount: integer().notNull(),
  tradeNo: text('trade_no').notNull(),
  declined: boolean().notNull().default(false),
  expiresAt: time('expires_at').notNull(),
  closedAt: time('closed_at'),
  paidAt: time('paid_at'),
  refundNo: text('refund_no'),
  refundedAt: time('refunded_at'),
});
export type SandboxPayment = typeof sandboxPayments.$inferSelect;

export const rewards = pgTable('rewards', {
  id: uuid().primaryKey(),
  orderId: uuid('order_id').notNull(),
  userId: uuid('user_id').notNull(),
  essayId: uuid('essay_id').notNull(),
  amount: integer().notNull(),
  message: text().notNull().default(''),
  reply: text().notNull().default(''),
  repliedAt: time('replied_at'),
  createdAt: time('created_at').notNull(),
});
export type RewardRow = typeof rewards.$inferSelect;
