import type { Page } from '@mozhan/contract/common.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { and, asc, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { accountRoles, type Role, roles } from '../../access/tables.ts';
import { accounts, type User, users } from '../tables.ts';
import { getAccount } from './accounts.ts';
import { listStaffUsersByIds } from './staff-accounts.ts';
import { getUser, type StaffUserRow, userIdsMatching } from './users.ts';

export type UserSort = 'createdAt' | 'essays' | 'followers' | 'reads';

const numbers = { essays: users.essayCount, followers: users.followerCount, reads: users.readCount };

interface UserFilter extends DayBounds {
  keyword?: string | undefined;
  curIdentity?: User['curIdentity'] | undefined;
  enabled?: Flag | undefined;
  isMember?: Flag | undefined;
}

/** Disabled accounts are few and have an index; `enabled` is checked per row. */
const whereEnabled = (enabled: Flag): SQL =>
  enabled === FLAG.off
    ? sql`${users.id} in (select ${accounts.userId} from ${accounts} where not ${accounts.enabled})`
    : sql`(select ${accounts.enabled} from ${accounts} where ${accounts.userId} = ${users.id})`;

function whereUsers({ keyword, curIdentity, enabled, isMember, ...days }: UserFilter, now: Date) {
  return and(
    keyword ? sql`${users.id} in (${userIdsMatching(keyword)})` : undefined,
    curIdentity === undefined ? undefined : eq(users.curIdentity, curIdentity),
    enabled === undefined ? undefined : whereEnabled(enabled),
    isMember === FLAG.on ? gt(users.memberUntil, now) : undefined,
    isMember === FLAG.off ? or(isNull(users.memberUntil), lte(users.memberUntil, now)) : undefined,
    createdWithin(users.createdAt, days),
  );
}

/** With a filter, the total stops at a thousand. */
export async function listStaffUsers(
  db: Db,
  query: PageQuery & UserFilter & { sort: UserSort; isDescending: boolean; now: Date },
): Promise<Page<StaffUserRow>> {
  const { sort, isDescending, now } = query;
  const match = whereUsers(query, now);
  const page = await listPage(db, query, {
    select: db.select({ id: users.id, createdAt: users.createdAt, ...numbers }).from(users),
    match,
    by: sort === 'createdAt' ? timeSortColumn(users.createdAt, query) : numbers[sort],
    id: users.id,
    isDescending,
    total: async () =>
      match === undefined
        ? db.$count(accounts)
        : db.$count(db.select({ id: users.id }).from(users).where(match).limit(MAX_COUNTED_ROWS).as('some')),
    key: (row) => [row[sort], row.id],
  });
  return {
    ...page,
    list: await listStaffUsersByIds(
      db,
      page.list.map(({ id }) => id),
    ),
  };
}

export interface StaffUserDetailRow extends StaffUserRow {
  roles: Role[];
  inviter: User | null;
}

export async function getStaffUser(db: Db, id: string): Promise<StaffUserDetailRow> {
  const user = await getUser(db, id);
  const [account, held, inviter] = await Promise.all([
    getAccount(db, id),
    db
      .select({ role: roles })
      .from(accountRoles)
      .innerJoin(roles, eq(roles.id, accountRoles.roleId))
      .where(eq(accountRoles.userId, id))
      .orderBy(asc(roles.id)),
    user.invitedBy === null ? null : getUser(db, user.invitedBy),
  ]);
  return { user, account, roles: held.map(({ role }) => role), inviter };
}
