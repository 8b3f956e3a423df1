import type { MailKind, MailStatus } from '@mozhan/contract/mail.ts';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const mails = pgTable('mails', {
  id: uuid().primaryKey(),
  kind: text().$type<MailKind>().notNull(),
  address: text().notNull(),
  status: text().$type<MailStatus>().notNull().default('waiting'),
  attempts: integer().notNull().default(0),
  /** The server refused the mail for good, so it is not sent again. */
  permanent: boolean().notNull().default(false),
  bounced: boolean().notNull().default(false),
  reason: text().notNull().default(''),
  response: text().notNull().default(''),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type MailRow = typeof mails.$inferSelect;
