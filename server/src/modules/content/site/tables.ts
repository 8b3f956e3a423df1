import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import type { InfoPage } from '@mozhan/contract/site.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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

const moment = (name: string) => timestamp(name, { withTimezone: true });

export const announcements = pgTable('announcements', {
  id: uuid().primaryKey(),
  title: text().notNull(),
  content: text().notNull(),
  html: text().notNull(),
  link: text().notNull(),
  level: text().$type<AnnouncementLevel>().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  startsAt: moment('starts_at'),
  endsAt: moment('ends_at'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
export type AnnouncementRow = typeof announcements.$inferSelect;
