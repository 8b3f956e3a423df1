import type { InfoPage } from '@mozhan/contract/site.ts';
import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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

export const infoPageVersions = pgTable(
  'info_page_versions',
  {
    name: text().$type<InfoPage['page']>().notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    userId: uuid('user_id'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.version] })],
);
