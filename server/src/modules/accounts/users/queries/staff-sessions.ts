import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { inOrderOf, sqlBoolean } from '../../../../db/rows.ts';
import { accountRoles, roles } from '../../access/tables.ts';
import { type Account, accounts, sessions, type User, users } from '../tables.ts';
import { userIdsMatching } from './users.ts';

type Session = typeof sessions.$inferSelect;

export interface StaffSessionRow {
  session: Session;
  user: User;
  account: Pick<Account, 'name'>;
  isStaff: boolean;
}

interface SessionFilter {
  keyword?: string | undefined;
  userId?: string | undefined;
  isStaff?: boolean;
}

const isStaff = sqlBoolean`exists (
  select 1 from ${accountRoles} join ${roles} on ${roles.id} = ${accountRoles.roleId} and ${roles.enabled}
  where ${accountRoles.userId} = ${sessions.userId})`;

const matching = ({ keyword, userId, isStaff: only }: SessionFilter): SQL | undefined =>
  and(
    keyword ? sql`${sessions.userId} in (${userIdsMatching(keyword)})` : undefined,
    userId === undefined ? undefined : eq(sessions.userId, userId),
    only ? isStaff : undefined,
  );

const selectSessions = (db: Db) =>
  db
    .select({ session: sessions, user: users, account: { name: accounts.name }, isStaff })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(accounts, eq(accounts.userId, sessions.userId));

/** Sorted by last use, or by start, which is the order of ids. */
export async function listStaffSessions(
  db: Db,
  query: PageQuery & SessionFilter & { byUse: boolean; isDescending: boolean },
): Promise<Page<StaffSessionRow>> {
  const match = matching(query);
  const { byUse, isDescending } = query;
  // Roles are looked up for the sessions of the page only.
  const page = await listPage(db, query, {
    select: db.select({ id: sessions.id, usedAt: sessions.usedAt }).from(sessions),
    match,
    by: byUse ? sessions.usedAt : null,
    id: sessions.id,
    isDescending,
    key: ({ id, usedAt }) => [usedAt, id],
    maxCounted: MAX_COUNTED_ROWS,
  });
  const ids = page.list.map(({ id }) => id);
  const rows = await selectSessions(db).where(inArray(sessions.id, ids));
  return { ...page, list: inOrderOf(ids, rows, ({ session }) => session.id) };
}

export async function getStaffSession(db: Db, id: string): Promise<StaffSessionRow> {
  const [row] = await selectSessions(db).where(eq(sessions.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '这次登录已经结束' });
  return row;
}
