import { customType, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

const cidr = customType<{ data: string }>({ dataType: () => 'cidr' });

export const bans = pgTable('bans', {
  id: uuid().primaryKey(),
  network: cidr().notNull(),
  reason: text().notNull().default(''),
  expiresAt: time('expires_at'),
  userId: uuid('user_id'),
  createdAt: time('created_at').notNull(),
});
export type BanRow = typeof bans.$inferSelect;
