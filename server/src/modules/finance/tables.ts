import type { Reconciliation } from '@mozhan/contract/finance.ts';
import { date, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const reconciliations = pgTable('reconciliations', {
  id: uuid().primaryKey(),
  day: date({ mode: 'string' }).notNull(),
  provider: text().$type<Reconciliation['provider']>().notNull(),
  ledger: jsonb().$type<Reconciliation['ledger']>().notNull(),
  orders: jsonb().$type<Reconciliation['orders']>().notNull(),
  statement: jsonb().$type<Reconciliation['statement']>(),
  note: text().notNull().default(''),
  differences: jsonb().$type<Reconciliation['differences']>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type ReconciliationRow = typeof reconciliations.$inferSelect;
