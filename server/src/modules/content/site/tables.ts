import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import type { NavEntry, NavGroup } from '@mozhan/contract/navigation.ts';
import type { InfoPage } from '@mozhan/contract/site.ts';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

/** Rendered when saved; variables from the settings are replaced when read. */
export const pages = pgTable('pages', {
  id: uuid().primaryKey(),
  /** For a page that comes with the program, its name. */
  slug: text().notNull(),
  title: text().notNull(),
  content: text().notNull(),
  html: text().notNull(),
  toc: jsonb().$type<InfoPage['toc']>().notNull(),
  version: integer().notNull().default(1),
  published: boolean().notNull(),
  publishedAt: time('published_at'),
  updatedAt: time('updated_at').notNull(),
  transferId: uuid('transfer_id'),
  importKey: text('import_key'),
  importedVersion: integer('imported_version'),
});
export type PageRow = typeof pages.$inferSelect;

export const pageVersions = pgTable(
  'page_versions',
  {
    pageId: uuid('page_id').notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    userId: uuid('user_id'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.pageId, table.version] })],
);

export const formerPageSlugs = pgTable('former_page_slugs', {
  slug: text().primaryKey(),
  pageId: uuid('page_id').notNull(),
  createdAt: time('created_at').notNull(),
});

/** One row; null: never edited. */
export const navigation = pgTable('navigation', {
  id: boolean().primaryKey().default(true),
  header: jsonb().$type<NavEntry[]>(),
  footer: jsonb().$type<NavGroup[]>(),
  version: integer().notNull().default(1),
});
export type NavigationRow = typeof navigation.$inferSelect;

export type LinkedPage = Pick<PageRow, 'id' | 'slug' | 'title'>;

/** What header and footer are made of. */
export interface Frame extends Pick<NavigationRow, 'header' | 'footer'> {
  /** Published ones; empty if the navigation was never edited. */
  pages: LinkedPage[];
  hasFriendLinks: boolean;
}

export const friendLinks = pgTable('friend_links', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  url: text().notNull(),
  description: text().notNull(),
  logo: text().notNull(),
  sort: integer().notNull(),
  enabled: boolean().notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type FriendLinkRow = typeof friendLinks.$inferSelect;

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
