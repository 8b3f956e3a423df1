import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

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
