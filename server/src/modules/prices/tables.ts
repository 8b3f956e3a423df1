import type { TierKind } from '@mozhan/contract/prices.ts';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

export const priceTiers = pgTable('price_tiers', {
  id: uuid().primaryKey(),
  kind: text().$type<TierKind>().notNull(),
  amount: integer().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull().default(true),
});
export type TierRow = typeof priceTiers.$inferSelect;

/** One row. */
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
