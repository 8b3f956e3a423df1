import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { ReportKind, ReportStatus } from '@mozhan/contract/reports.ts';
import { pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const reports = pgTable('reports', {
  id: uuid().primaryKey(),
  kind: text().$type<ReportKind>().notNull(),
  targetId: uuid('target_id').notNull(),
  ownerId: uuid('owner_id'),
  userId: uuid('user_id'),
  reason: text().notNull(),
  detail: text().notNull().default(''),
  status: smallint().$type<ReportStatus>().notNull().default(REPORT_STATUS.waiting),
  result: text().notNull().default(''),
  handledBy: uuid('handled_by'),
  handledAt: timestamp('handled_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type ReportRow = typeof reports.$inferSelect;
