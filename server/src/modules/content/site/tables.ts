import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import type { InfoPage } from '@mozhan/contract/site.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

/** Rendered when saved; variables from the settings are replaced when read. */
export const infoPages = pgTable('info_pages', {
  name: text().$type<InfoPage['page']>().primaryKey(),
  title: text().notNull(),
  content: text().notNull(),
  html: text().notNull(),
  toc: jsonb().$type<InfoPage['toc']>().notNull(),
  version: integer().notNull().default(1),
  updatedAt: time('updated_at').notNull(),
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
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.version] })],
);

export const announcements = pgTable('announcements', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  content: text().notNull(),
  html: text().notNull(),
  link: text().notNull(),
  level: text().$type<AnnouncementLevel>().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  startsAt: time('starts_at'),
  endsAt: time('ends_at'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type AnnouncementRow = typeof announcements.$inferSelect;
