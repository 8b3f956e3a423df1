import { customType, date, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bigintNumber } from '../../../db/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const trafficDays = pgTable('traffic_days', {
  day: date().primaryKey(),
  views: bigintNumber('views').notNull(),
  visits: bigintNumber('visits').notNull(),
  visitors: bigintNumber('visitors').notNull().default(0),
  salt: bytea(),
});

export const trafficVisitors = pgTable(
  'traffic_visitors',
  {
    day: date().notNull(),
    visitor: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.visitor] })],
);

export const trafficValues = pgTable(
  'traffic_values',
  {
    day: date().notNull(),
    dimension: text().notNull(),
    value: text().notNull(),
    count: bigintNumber('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.dimension, table.value] })],
);

export const authorSources = pgTable(
  'author_sources',
  {
    authorId: uuid('author_id').notNull(),
    day: date().notNull(),
    value: text().notNull(),
    count: bigintNumber('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.authorId, table.day, table.value] })],
);
