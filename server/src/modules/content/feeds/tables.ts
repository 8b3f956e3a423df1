import { pgTable, primaryKey, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Each row is the first essay of a part, but the first part, which begins with the first essay there is. */
export const sitemapParts = pgTable(
  'sitemap_parts',
  {
    publishedAt: timestamp('published_at', { withTimezone: true }).notNull(),
    essayId: uuid('essay_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.publishedAt, table.essayId] })],
);
