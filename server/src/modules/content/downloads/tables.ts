import { customType, date, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const essayDownloads = pgTable(
  'essay_downloads',
  {
    day: date().notNull(),
    essayId: uuid('essay_id').notNull(),
    reader: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.essayId, table.reader] })],
);
