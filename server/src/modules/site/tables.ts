import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { InfoPage } from '#contract/site.ts';

/** Rendered when it is saved; what depends on settings is filled in when it is read. */
export const infoPages = pgTable('info_pages', {
  name: text().$type<InfoPage['page']>().primaryKey(),
  title: text().notNull(),
  content: text().notNull(),
  html: text().notNull(),
  toc: jsonb().$type<InfoPage['toc']>().notNull(),
  version: integer().notNull().default(1),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
});
export type InfoPageRow = typeof infoPages.$inferSelect;
