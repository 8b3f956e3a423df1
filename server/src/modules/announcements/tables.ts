import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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
