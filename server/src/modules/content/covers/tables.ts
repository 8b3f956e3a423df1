import type { CoverKind } from '@mozhan/contract/covers.ts';
import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const covers = pgTable('covers', {
  id: uuid().primaryKey(),
  kind: text().$type<CoverKind>().notNull(),
  title: text().notNull(),
  image: text().notNull(),
  link: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  startsAt: moment('starts_at'),
  endsAt: moment('ends_at'),
  createdAt: moment('created_at').notNull(),
});
export type Cover = typeof covers.$inferSelect;
