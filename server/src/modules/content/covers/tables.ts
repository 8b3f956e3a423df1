import type { CoverKind } from '@mozhan/contract/covers.ts';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const covers = pgTable('covers', {
  id: uuid().primaryKey(),
  kind: text().$type<CoverKind>().notNull(),
  title: text().notNull(),
  /** Only of banners. */
  summary: text().notNull().default(''),
  image: text().notNull(),
  link: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  startsAt: time('starts_at'),
  endsAt: time('ends_at'),
  createdAt: time('created_at').notNull(),
});
export type Cover = typeof covers.$inferSelect;
