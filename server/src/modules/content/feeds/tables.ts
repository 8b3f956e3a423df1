import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

/** Each row is the first essay of a part. The first part has no row. */
export const sitemapParts = pgTable(
  'sitemap_parts',
  {
    publishedAt: time('published_at').notNull(),
    essayId: uuid('essay_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.publishedAt, table.essayId] })],
);
