import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { Withdrawal } from '@mozhan/contract/wallet.ts';
import { date, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const withdrawals = pgTable('withdrawals', {
  id: uuid().primaryKey(),
  no: text().notNull(),
  userId: uuid('user_id').notNull(),
  amount: integer().notNull(),
  account: text().notNull(),
  realName: text('real_name').notNull().default(''),
  status: smallint().$type<Withdrawal['status']>().notNull().default(WITHDRAWAL_STATUS.waiting),
  reason: text().notNull().default(''),
  tradeNo: text('trade_no').notNull().default(''),
  decidedBy: uuid('decided_by'),
  decidedAt: time('decided_at'),
  paidAt: time('paid_at'),
  createdAt: time('created_at').notNull(),
});
export type WithdrawalRow = typeof withdrawals.$inferSelect;

export const reconciliations = pgTable('reconciliations', {
  id: uuid().primaryKey(),
  day: date({ mode: 'string' }).notNull(),
  provider: text().$type<Reconciliation['provider']>().notNull(),
  ledger: jsonb().$type<Reconciliation['ledger']>().notNull(),
  orders: jsonb().$type<Reconciliation['orders']>().notNull(),
  statement: jsonb().$type<Reconciliation['statement']>(),
  note: text().notNull().default(''),
  differences: jsonb().$type<Reconciliation['differences']>().notNull(),
  createdAt: time('created_at').notNull(),
});
export type ReconciliationRow = typeof reconciliations.$inferSelect;
