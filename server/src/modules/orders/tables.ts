import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { Invoice, OrderKind, OrderStatus, Pay } from '@mozhan/contract/orders.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

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
  pay: jsonb().$type<Pay>(),
  tradeNo: text('trade_no').notNull().default(''),
  invoice: jsonb().$type<Invoice>(),
  expiresAt: time('expires_at').notNull(),
  askAt: time('ask_at').notNull(),
  paidAt: time('paid_at'),
  refundedAt: time('refunded_at'),
  refundReason: text('refund_reason').notNull().default(''),
  refundedBy: uuid('refunded_by'),
  refundSettledAt: time('refund_settled_at'),
  createdAt: time('created_at').notNull(),
});
export type OrderRow = typeof orders.$inferSelect;

/** Who may read what they bought. */
export const purchases = pgTable(
  'purchases',
  {
    userId: uuid('user_id').notNull(),
    targetId: uuid('target_id').notNull(),
    kind: text().$type<'essay' | 'column'>().notNull(),
    orderId: uuid('order_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.targetId] })],
);

export const untoldOrders = pgTable('untold_orders', {
  orderId: uuid('order_id').primaryKey(),
  createdAt: time('created_at').notNull(),
});
