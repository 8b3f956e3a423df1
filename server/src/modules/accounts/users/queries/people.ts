import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { has, LOOKED_THROUGH, literally } from '../../../../db/keyword.ts';
import { mapPage, type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, parseRow, sqlInt, sqlText, sqlTexts } from '../../../../db/rows.ts';
import { ledgerAccounts } from '../../../platform/ledger/tables.ts';
import { SUPER } from '../../access/index.ts';
import { accountRoles, menus, roleMenus, roles } from '../../access/tables.ts';
import { type Account, accounts, noticeCounts, type User, unindexedPeople, users } from '../tables.ts';
import { releaseFollows } from './follows.ts';
import { releaseNotices } from './notices.ts';

export const noUser = () => new CallError('NOT_FOUND', { message: '没有找到这位用户' });

export async function getUser(db: Db, id: string): Promise<User> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (user === undefined) throw noUser();
  return user;
}

/** As `createPeopleQuery`, of the user alone. */
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

export interface Access {
  isStaff: boolean;
  isSuper: boolean;
  permissions: string[];
}

export interface Person {
  user: User;
  account: Account;
  access: Access;
  unread: number;
  balance: number;
}

/** Everything the current-user view needs, in one query that the database has planned before. */
const selectPeople = (db: Db) =>
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

export function createPeopleQuery(db: Db): (ids: string[]) => Promise<Person[]> {
  const query = selectPeople(db);
  return async (ids) => {
    const rows = await query.execute({ ids });
    return rows.map(({ user, account, roles, permissions, unread, balance }) => ({
      user,
      account,
      access: { isStaff: roles.length > 0, isSuper: roles.includes(SUPER), permissions },
      unread,
      balance,
    }));
  };
}

/** Lower case as the database makes it: a program's own idea of it differs for some alphabets. */
const loweredName = sqlText`(lower(${users.displayName}) collate "C")`;

// `%` and `_` in what people type mean themselves.
const beginning = (keyword: string) => sql`lower(${`${literally(keyword)}%`})`;
const nameStartsWith = (keyword: string) => sql`${loweredName} like ${beginning(keyword)} collate "C"`;

/**
 * Ids of those whose name, account or e-mail begins with the keyword, or whose phone it is: each by an index of its
 * own. Any part of the name is found among the newest people.
 */
export const idsFoundBy = (keyword: string) => sql`
  select ${users.id} as user_id from ${users} where ${nameStartsWith(keyword)}
  union select newest.id from (
    select ${users.id}, ${users.displayName} from ${users} order by ${users.id} desc limit ${LOOKED_THROUGH}
  ) as newest where ${has(sql`newest.display_name`, keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.name} like ${beginning(keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.email} like ${beginning(keyword)}
  union select ${accounts.userId} from ${accounts} where ${accounts.phone} = ${keyword}`;

/** With a keyword, more than a thousand are counted as so many. */
export const CAP = 1001;

/** People whose name begins with the keyword, by name. */
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
        sql`select count(*)::int as count from (select 1 from ${users} where ${match} limit ${query.keyword ? CAP : null}) as found`,
      );
      return parseRow(countRow, result).count;
    },
    key: (row) => [row.name, row.user.id],
    parts: ['text'],
  });
  return mapPage(page, (row) => row.user);
}

/** In the order of the ids, without those who may not sign in. */
export async function listEnabledUsers(db: Db, ids: string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ user: users })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(inArray(users.id, ids), accounts.enabled));
  const byId = new Map(rows.map(({ user }) => [user.id, user]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Takes people from the queue of names to be indexed; `people` lacks those who were removed. */
export async function takeUnindexed(db: Db, limit: number): Promise<{ ids: string[]; people: User[] }> {
  const first = db
    .select({ userId: unindexedPeople.userId })
    .from(unindexedPeople)
    .orderBy(asc(unindexedPeople.userId))
    .limit(limit)
    .for('update', { skipLocked: true });
  const taken = await db
    .delete(unindexedPeople)
    .where(inArray(unindexedPeople.userId, first))
    .returning({ id: unindexedPeople.userId });
  const ids = taken.map(({ id }) => id);
  const people = ids.length === 0 ? [] : await db.select().from(users).where(inArray(users.id, ids));
  return { ids, people };
}

export type StaffUserRow = Pick<Person, 'user' | 'account'>;

export async function insertUser(db: Db, user: typeof users.$inferInsert): Promise<void> {
  await db.insert(users).values(user);
}

export async function updateUser(
  db: Db,
  id: string,
  fields: Partial<typeof users.$inferInsert>,
): Promise<User> {
  const [user] = await db.update(users).set(fields).where(eq(users.id, id)).returning();
  if (user === undefined) throw noUser();
  return user;
}

/** Merged by the database: two changes of different switches at once both count. */
export async function updateSwitches(
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
  await releaseFollows(db, ids);
  await releaseNotices(db, ids);
  await db.delete(users).where(inArray(users.id, ids));
}
