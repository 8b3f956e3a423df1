import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, inOrderOf, parseRow, parseRows } from '../../../../db/rows.ts';
import { accountRoles, type Role, roles } from '../../access/tables.ts';
import { accounts, users } from '../tables.ts';
import { type StaffUserRow, userIdsMatching } from './users.ts';

export interface StaffAccountRow extends StaffUserRow {
  roles: Role[];
}

interface AccountFilter {
  keyword?: string | undefined;
  roleId?: string | undefined;
  /** Only accounts with an enabled role. */
  isStaff?: boolean;
  isEnabled?: boolean | undefined;
}

const staffIds = sql`
  select ar.user_id from ${accountRoles} ar join ${roles} r on r.id = ar.role_id and r.enabled`;

/**
 * Starts with the most selective filter, in index order. `enabled` is checked per row: a join with all accounts would
 * scan them up to the cursor.
 */
function selectIds({ keyword, roleId, isStaff, isEnabled }: AccountFilter): SQL {
  const ofRole = sql`select ar.user_id from ${accountRoles} ar where ar.role_id = ${roleId}`;
  if (keyword) {
    return withFilters(userIdsMatching(keyword), [
      roleId === undefined ? undefined : sql`c.user_id in (${ofRole})`,
      isStaff ? sql`c.user_id in (${staffIds})` : undefined,
      whereEnabled(isEnabled),
    ]);
  }
  if (roleId !== undefined) {
    return withFilters(ofRole, [
      isStaff ? sql`c.user_id in (${staffIds})` : undefined,
      whereEnabled(isEnabled),
    ]);
  }
  if (isStaff)
    return withFilters(sql`select distinct s.user_id from (${staffIds}) s`, [whereEnabled(isEnabled)]);
  const all = sql`select a.user_id from ${accounts} a`;
  return isEnabled === undefined ? all : sql`${all} where a.enabled = ${isEnabled}`;
}

function withFilters(ids: SQL, filters: (SQL | undefined)[]): SQL {
  const filter = and(...filters);
  return filter === undefined ? ids : sql`select c.user_id from (${ids}) c where ${filter}`;
}

const whereEnabled = (wanted: boolean | undefined): SQL | undefined =>
  wanted === undefined
    ? undefined
    : sql`(select a.enabled from ${accounts} a where a.user_id = c.user_id) = ${wanted}`;

const userIdRow = z.object({ user_id: z.string() });

/** Returns one page of accounts, sorted by creation time. */
async function listIds(
  db: Db,
  query: PageQuery & AccountFilter & { isDescending: boolean },
): Promise<Page<string>> {
  const ids = selectIds(query);
  const [comparison, direction] = query.isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const from = after === null ? sql`` : sql`where user_id ${comparison} ${after.at(-1)}::uuid`;
      const result = await db.execute(sql`
        select user_id from (${ids}) as found ${from}
        order by user_id ${direction} offset ${offset} limit ${limit}`);
      return parseRows(userIdRow, result).map((row) => row.user_id);
    },
    total: async () => {
      const result = await db.execute(sql`
        select count(*)::int as count from (
          select 1 from (${ids}) as found limit ${query.keyword ? MAX_COUNTED_ROWS : null}) as counted`);
      return parseRow(countRow, result).count;
    },
    key: (id) => [id],
  });
}

/** Keeps the order of the ids. */
export async function listStaffUsersByIds(db: Db, ids: string[]): Promise<StaffUserRow[]> {
  const rows = await db
    .select({ user: users, account: accounts })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(inArray(users.id, ids));
  return inOrderOf(ids, rows, ({ user }) => user.id);
}

export async function listStaffAccounts(
  db: Db,
  query: PageQuery & AccountFilter & { isDescending: boolean },
): Promise<Page<StaffAccountRow>> {
  const page = await listIds(db, query);
  return { ...page, list: await listWithRoles(db, page.list) };
}

export async function getStaffAccount(db: Db, id: string): Promise<StaffAccountRow> {
  const [row] = await listWithRoles(db, [id]);
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个账号' });
  return row;
}

async function listWithRoles(db: Db, ids: string[]): Promise<StaffAccountRow[]> {
  const [rows, held] = await Promise.all([
    listStaffUsersByIds(db, ids),
    db
      .select({ userId: accountRoles.userId, role: roles })
      .from(accountRoles)
      .innerJoin(roles, eq(roles.id, accountRoles.roleId))
      .where(inArray(accountRoles.userId, ids))
      .orderBy(asc(roles.id)),
  ]);
  const byUser = Map.groupBy(held, (each) => each.userId);
  return rows.map((row) => ({
    ...row,
    roles: (byUser.get(row.user.id) ?? []).map((each) => each.role),
  }));
}
