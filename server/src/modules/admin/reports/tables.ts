import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { LetterEvidence, ReportKind, ReportStatus } from '@mozhan/contract/reports.ts';
import { jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { time } from '../../../db/columns.ts';

export const reports = pgTable('reports', {
  id: uuid().primaryKey(),
  kind: text().$type<ReportKind>().notNull(),
  targetId: uuid('target_id').notNull(),
  ownerId: uuid('owner_id'),
  userId: uuid('user_id'),
  reason: text().notNull(),
  detail: text().notNull().default(''),
  /** Set for letters, which may be deleted before the report is handled. */
  evidence: jsonb().$type<LetterEvidence>(),
  status: smallint().$type<ReportStatus>().notNull().default(REPORT_STATUS.waiting),
  result: text().notNull().default(''),
  handledBy: uuid('handled_by'),
  handledAt: time('handled_at'),
  createdAt: time('created_at').notNull(),
});
export type ReportRow = typeof reports.$inferSelect;
