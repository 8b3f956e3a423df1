import type { Term } from '@mozhan/contract/members.ts';
import type { TierKind } from '@mozhan/contract/prices.ts';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

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

export const priceTiers = pgTable('price_tiers', {
  id: uuid().primaryKey(),
  kind: text().$type<TierKind>().notNull(),
  amount: integer().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull().default(true),
});
export type TierRow = typeof priceTiers.$inferSelect;

/** Has exactly one row. */
export const priceRules = pgTable('price_rules', {
  single: boolean().primaryKey().default(true),
  rewardMin: integer('reward_min').notNull(),
  rewardMax: integer('reward_max').notNull(),
  rechargeMin: integer('recharge_min').notNull(),
  rechargeMax: integer('recharge_max').notNull(),
  commissionPercent: integer('commission_percent').notNull(),
  withdrawMin: integer('withdraw_min').notNull(),
  refundDays: integer('refund_days').notNull(),
  inviteDays: integer('invite_days').notNull(),
});
