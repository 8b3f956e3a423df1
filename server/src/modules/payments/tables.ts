import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

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
