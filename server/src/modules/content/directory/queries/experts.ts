import type { Page } from '@mozhan/contract/common.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import { and, desc, eq, like, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { escapeLike } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { userIdsMatching } from '../../../accounts/users/index.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type ApplicationRow, expertApplications } from '../tables.ts';

export const applicationRows = createRowQueries(expertApplications, '没有找到这份申请');

export async function findLatestApplication(db: Db, userId: string): Promise<ApplicationRow | null> {
  const [application] = await db
    .select()
    .from(expertApplications)
    .where(eq(expertApplications.userId, userId))
    .orderBy(desc(expertApplications.id))
    .limit(1);
  return application ?? null;
}

/** Returns null if another application of the user is waiting. */
export async function insertApplication(
  db: Db,
  application: typeof expertApplications.$inferInsert,
): Promise<ApplicationRow | null> {
  const [inserted] = await db
    .insert(expertApplications)
    .values(application)
    .onConflictDoNothing()
    .returning();
  return inserted ?? null;
}

export interface StaffApplicationRow {
  application: ApplicationRow;
  user: User;
  decider: User | null;
}

const deciders = alias(users, 'deciders');
const selectForStaff = (db: Db) =>
  db
    .select({ application: expertApplications, user: users, decider: deciders })
    .from(expertApplications)
    .innerJoin(users, eq(users.id, expertApplications.userId))
    .leftJoin(deciders, eq(deciders.id, expertApplications.decidedBy));

export async function getStaffApplication(db: Db, id: string): Promise<StaffApplicationRow> {
  const [row] = await selectForStaff(db).where(eq(expertApplications.id, id));
  if (row === undefined) throw applicationRows.notFoundError();
  return row;
}

interface ApplicationFilter extends DayBounds {
  status?: ApplicationStatus | undefined;
  keyword?: string | undefined;
}

const whereApplications = ({ status, keyword, ...days }: ApplicationFilter) =>
  and(
    status === undefined ? undefined : eq(expertApplications.status, status),
    keyword
      ? or(
          like(expertApplications.realName, `${escapeLike(keyword)}%`),
          sql`${expertApplications.userId} in (${userIdsMatching(keyword)})`,
        )
      : undefined,
    createdWithin(expertApplications.createdAt, days),
  );

export function listForStaff(
  db: Db,
  query: PageQuery & ApplicationFilter & { isDescending: boolean },
): Promise<Page<StaffApplicationRow>> {
  const match = whereApplications(query);
  return listPage(db, query, {
    select: selectForStaff(db),
    match,
    by: timeSortColumn(expertApplications.createdAt, query),
    id: expertApplications.id,
    isDescending: query.isDescending,
    key: ({ application }) => [application.createdAt, application.id],
  });
}
