import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

/** Each row is the first essay of a part, but the first part, which begins with the first essay there is. */
export const sitemapParts = pgTable(
  'sitemap_parts',
  {
    publishedAt: time('published_at').notNull(),
    essayId: uuid('essay_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.publishedAt, table.essayId] })],
);
