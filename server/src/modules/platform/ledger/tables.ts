import type { EntryKind, LedgerAccount } from '@mozhan/contract/ledger.ts';
import { sql } from 'drizzle-orm';
import { bigint, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

export const ledgerAccounts = pgTable('ledger_accounts', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  account: text().$type<LedgerAccount>().notNull(),
  userId: uuid('user_id'),
  provider: text().notNull().default(''),
  slot: smallint().notNull().default(0),
  balance: bigint({ mode: 'number' }).notNull().default(0),
  key: text().generatedAlwaysAs(sql`ledger_key(account, user_id, provider, slot)`).notNull(),
  changedAt: timestamp('changed_at', { withTimezone: true, mode: 'string' }).notNull().default('-infinity'),
});

export const ledgerEntries = pgTable('ledger_entries', {
  id: uuid().primaryKey(),
  kind: text().$type<EntryKind>().notNull(),
  title: text().notNull(),
  orderId: uuid('order_id'),
  withdrawalId: uuid('withdrawal_id'),
  createdAt: time('created_at').notNull(),
});
export type EntryRow = typeof ledgerEntries.$inferSelect;

export const ledgerLines = pgTable('ledger_lines', {
  id: uuid().primaryKey(),
  entryId: uuid('entry_id').notNull(),
  accountId: bigintNumber('account_id').notNull(),
  amount: bigint({ mode: 'number' }).notNull(),
  userId: uuid('user_id'),
  balanceAfter: bigintNumber('balance_after').notNull(),
  position: bigint({ mode: 'number' }).notNull(),
  createdAt: time('created_at').notNull(),
});
export type LineRow = typeof ledgerLines.$inferSelect;
