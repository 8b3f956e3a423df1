import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import { pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const expertApplications = pgTable('expert_applications', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  realName: text('real_name').notNull(),
  field: text().notNull(),
  intro: text().notNull(),
  works: text().array().notNull().default([]),
  contact: text().notNull(),
  status: smallint().$type<ApplicationStatus>().notNull().default(APPLICATION_STATUS.waiting),
  reason: text().notNull().default(''),
  decidedBy: uuid('decided_by'),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
export type ApplicationRow = typeof expertApplications.$inferSelect;
