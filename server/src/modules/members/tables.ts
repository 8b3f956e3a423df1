import type { Term } from '@mozhan/contract/members.ts';
import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

export const memberPlans = pgTable('member_plans', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  days: integer().notNull(),
  price: integer().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull().default(true),
  createdAt: time('created_at').notNull(),
});
export type PlanRow = typeof memberPlans.$inferSelect;

export const memberTerms = pgTable('member_terms', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  source: text().$type<Term['source']>().notNull(),
  days: integer().notNull(),
  until: time('until').notNull(),
  orderId: uuid('order_id'),
  inviteeId: uuid('invitee_id'),
  reason: text().notNull().default(''),
  byId: uuid('by_id'),
  createdAt: time('created_at').notNull(),
});
export type TermRow = typeof memberTerms.$inferSelect;
