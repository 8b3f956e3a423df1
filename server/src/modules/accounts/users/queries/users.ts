import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { containsKeyword, escapeLike, MAX_COUNTED_ROWS, MAX_SCANNED_ROWS } from '../../../../db/keyword.ts';
import { mapPage, type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, inOrderOf, parseRow, sqlInt, sqlText, sqlTexts } from '../../../../db/rows.ts';
import { ledgerAccounts } from '../../../platform/ledger/tables.ts';
import { SUPER_ROLE } from '../../access/index.ts';
import { accountRoles, menus, roleMenus, roles } from '../../access/tables.ts';
import { type Account, accounts, noticeCounts, type User, unindexedPeople, users } from '../tables.ts';
import { purgeFollowCounts } from './follows.ts';
import { purgeNotices } from './notices.ts';

export const userNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这位用户' });

export async function getUser(db: Db, id: string): Promise<User> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (user === undefined) throw userNotFound();
  return user;
}

export function createUsersQuery(db: Db): (ids: string[]) => Promise<User[]> {
  const query = db
    .select()
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('users');
  return (ids) => query.execute({ ids });
}

export async function findUserByInvite(db: Db, inviteCode: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.inviteCode, inviteCode));
  return user ?? null;
}

export interface AccountAccess {
  isStaff: boolean;
  isSuper: boolean;
  permissions: string[];
}

export interface UserWithAccount {
  user: User;
  account: Account;
  access: AccountAccess;
  unread: number;
  balance: number;
}

/** Everything the current-user view needs, in one prepared statement. */
const selectUsersWithAccount = (db: Db) =>
  db
    .select({
      user: users,
      account: accounts,
      roles: sqlTexts`array(
        select ${roles.code} from ${accountRoles} join ${roles} on ${roles.id} = ${accountRoles.roleId}
        where ${accountRoles.userId} = ${users.id} and ${roles.enabled})`,
      permissions: sqlTexts`array(
        select distinct ${menus.permission} from ${accountRoles}
        join ${roles} on ${roles.id} = ${accountRoles.roleId} and ${roles.enabled}
        join ${roleMenus} on ${roleMenus.roleId} = ${roles.id}
        join ${menus} on ${menus.id} = ${roleMenus.menuId}
        where ${accountRoles.userId} = ${users.id} and ${menus.permission} is not null
        order by 1)`,
      unread: sqlInt`(
        select coalesce(sum(${noticeCounts.unread}), 0)::int from ${noticeCounts}
        where ${noticeCounts.userId} = ${users.id})`,
      balance: sqlInt`coalesce((
        select ${ledgerAccounts.balance} from ${ledgerAccounts}
        where ${ledgerAccounts.userId} = ${users.id} and ${ledgerAccounts.account} = 'balance'), 0)`,
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(sql`${users.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('people');

export function createUsersWithAccountQuery(db: Db): (ids: string[]) => Promise<UserWithAccount[]> {
  const query = selectUsersWithAccount(db);
  return async (ids) => {
    const rows = await query.execute({ ids });
    return rows.map(({ user, account, roles, permissions, unread, balance }) => ({
      user,
      account,
      access: { isStaff: roles.length > 0, isSuper: roles.includes(SUPER_ROLE), permissions },
      unread,
      balance,
    }));
  };
}

/** Lowercased by the database, since JavaScript differs for some alphabets. */
const loweredName = sqlText`(lower(${users.displayName}) collate "C")`;

// Escaped, so that `%` and `_` in the input match literally.
const toPrefixPattern = (keyword: string) => sql`lower(${`${escapeLike(keyword)}%`})`;
const nameStartsWith = (keyword: string) => sql`${loweredName} like ${toPrefixPattern(keyword)} collate "C"`;

/** Matches the start of the name, account or e-mail, or the full phone, by an index each; among the newest users, any part of the name. */
export const userIdsMatching = (keyword: string) => sql`
  select ${users.id} as user_id from ${users} where ${nameStartsWith(keyword)}
  union select newest.id from (
    select ${users.id}, ${users.displayName} from ${users} order by ${users.id} desc limit ${MAX_SCANNED_ROWS}
  ) as newest where ${containsKeyword(sql`newest.display_name`, keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.name} like ${toPrefixPattern(keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.email} like ${toPrefixPattern(keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.phone} = ${keyword}`;

export async function listUsers(
  db: Db,
  query: PageQuery & { keyword?: string | undefined },
): Promise<Page<User>> {
  const match = and(
    query.keyword ? nameStartsWith(query.keyword) : undefined,
    sql`exists (select 1 from ${accounts} where ${accounts.userId} = ${users.id} and ${accounts.enabled})`,
  );
  const page = await readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({ user: users, name: loweredName })
        .from(users)
        .where(
          and(
            match,
            after === null
              ? undefined
              : sql`(${loweredName}, ${users.id}) > (${after[0] ?? ''}, ${after.at(-1)}::uuid)`,
          ),
        )
        .orderBy(loweredName, asc(users.id))
        .offset(offset)
        .limit(limit),
    total: async () => {
      const result = await db.execute(
        sql`select count(*)::int as count from (select 1 from ${users} where ${match} limit ${query.keyword ? MAX_COUNTED_ROWS : null}) as found`,
      );
      return parseRow(countRow, result).count;
    },
    key: (row) => [row.name, row.user.id],
    parts: ['text'],
  });
  return mapPage(page, (row) => row.user);
}

/** Keeps the order of the ids and leaves out disabled accounts. */
export async function listEnabledUsers(db: Db, ids: string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ user: users })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(inArray(users.id, ids), accounts.enabled));
  return inOrderOf(ids, rows, ({ user }) => user.id).map(({ user }) => user);
}

interface ClaimedUsers {
  ids: string[];
  users: User[];
  /** Ids of those whose name was changed; the others are new or deleted. */
  renamed: Set<string>;
}

/** Claims users from the queue of names to index; deleted users are missing from `users`. */
export async function claimUnindexedUsers(db: Db, limit: number): Promise<ClaimedUsers> {
  const first = db
    .select({ userId: unindexedPeople.userId })
    .from(unindexedPeople)
    .orderBy(asc(unindexedPeople.userId))
    .limit(limit)
    .for('update', { skipLocked: true });
  const claimed = await db
    .delete(unindexedPeople)
    .where(inArray(unindexedPeople.userId, first))
    .returning({ id: unindexedPeople.userId, renamed: unindexedPeople.renamed });
  const ids = claimed.map(({ id }) => id);
  const renamed = new Set(claimed.filter((row) => row.renamed).map(({ id }) => id));
  const rows = ids.length === 0 ? [] : await db.select().from(users).where(inArray(users.id, ids));
  return { ids, users: rows, renamed };
}

export type StaffUserRow = Pick<UserWithAccount, 'user' | 'account'>;

export async function insertUser(db: Db, user: typeof users.$inferInsert): Promise<void> {
  await db.insert(users).values(user);
}

export async function updateUser(
  db: Db,
  id: string,
  fields: Partial<typeof users.$inferInsert>,
): Promise<User> {
  const [user] = await db.update(users).set(fields).where(eq(users.id, id)).returning();
  if (user === undefined) throw userNotFound();
  return user;
}

/** Merged by the database, so that concurrent changes of different settings are both kept. */
export async function mergePreferences(
  db: Db,
  id: string,
  changed: { notify?: Partial<User['notify']> | undefined; privacy?: Partial<User['privacy']> | undefined },
): Promise<void> {
  const merged = (column: PgColumn, value: object = {}) => sql`${column} || ${JSON.stringify(value)}::jsonb`;
  await db
    .update(users)
    .set({ notify: merged(users.notify, changed.notify), privacy: merged(users.privacy, changed.privacy) })
    .where(eq(users.id, id));
}

export const listDemoUserIds = async (db: Db): Promise<string[]> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.demo, true))).map((row) => row.id);

export async function removeUsers(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await purgeFollowCounts(db, ids);
  await purgeNotices(db, ids);
  await db.delete(users).where(inArray(users.id, ids));
}
