import {
  APPLICATION_STATUS,
  COMMENT_STATUS,
  REPORT_STATUS,
  WITHDRAWAL_STATUS,
} from '@mozhan/contract/enums.ts';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { comments } from '../../../content/comments/tables.ts';
import { expertApplications } from '../../../content/directory/tables.ts';
import { essays } from '../../../content/essays/tables.ts';
import { withdrawals } from '../../../payments/wallet/tables.ts';
import { reports } from '../../reports/tables.ts';

export const countSubmitted = (db: Db): Promise<number> =>
  db.$count(essays, and(isNotNull(essays.submittedAt), isNull(essays.deletedAt)));

/** Excludes comments of deleted essays, which need no decision any more. */
export const countHeld = (db: Db): Promise<number> =>
  db.$count(
    db
      .select({ id: comments.id })
      .from(comments)
      .innerJoin(essays, and(eq(essays.id, comments.essayId), isNull(essays.deletedAt)))
      // A literal, because the partial index is defined with this number.
      .where(sql`${comments.status} = ${literal(COMMENT_STATUS.held)}`)
      .as('held'),
  );

export const countReports = (db: Db): Promise<number> =>
  db.$count(reports, eq(reports.status, REPORT_STATUS.waiting));

export const countApplications = (db: Db): Promise<number> =>
  db.$count(expertApplications, eq(expertApplications.status, APPLICATION_STATUS.waiting));

export const countWithdrawals = (db: Db): Promise<number> =>
  db.$count(withdrawals, eq(withdrawals.status, WITHDRAWAL_STATUS.waiting));
