import { and, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { accountRoles } from '../../../accounts/access/tables.ts';
import { accounts, sessions, type User, users } from '../../../accounts/users/tables.ts';
import { type Category, categories } from '../../../content/categories/tables.ts';
import { comments } from '../../../content/comments/tables.ts';
import { type ColumnRow, columns, type EssayRow, essays } from '../../../content/essays/tables.ts';
import { type FriendLinkRow, friendLinks, type PageRow, pages } from '../../../content/site/tables.ts';
import { conversationMembers, letterThreads } from '../../../messaging/chats/tables.ts';
import { attachments, uploads } from '../../../platform/uploads/tables.ts';

const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Users who sign in with an e-mail address appear in archives by their id. */
export async function findUserByAccount(db: Db, account: string): Promise<User | null> {
  const [row] = await db
    .select({ user: users })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(or(eq(accounts.name, account), isId(account) ? eq(users.id, account) : undefined))
    .limit(1);
  return row?.user ?? null;
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Includes deleted essays. */
export async function findEssay(db: Db, id: string): Promise<EssayRow | null> {
  const [row] = await db.select().from(essays).where(eq(essays.id, id));
  return row ?? null;
}

/** Without deleted ones. */
export const listExistingEssayIds = (db: Db, ids: readonly string[]): Promise<{ id: string }[]> =>
  db
    .select({ id: essays.id })
    .from(essays)
    .where(and(inArray(essays.id, [...ids]), isNull(essays.deletedAt)));

export async function lockEssay(db: Db, id: string): Promise<EssayRow | null> {
  const [row] = await db.select().from(essays).where(eq(essays.id, id)).for('update');
  return row ?? null;
}

export const listCategories = (db: Db): Promise<Category[]> =>
  db.select().from(categories).orderBy(categories.sort, categories.id);

export async function findColumn(db: Db, id: string): Promise<ColumnRow | null> {
  const [row] = await db.select().from(columns).where(eq(columns.id, id));
  return row ?? null;
}

export async function findColumnByName(db: Db, authorId: string, name: string): Promise<ColumnRow | null> {
  const [row] = await db
    .select()
    .from(columns)
    .where(and(eq(columns.authorId, authorId), eq(columns.name, name)))
    .limit(1);
  return row ?? null;
}

export async function findPage(db: Db, slug: string): Promise<PageRow | null> {
  const [row] = await db.select().from(pages).where(eq(pages.slug, slug));
  return row ?? null;
}

export const listPageIds = (db: Db): Promise<Pick<PageRow, 'id' | 'slug'>[]> =>
  db.select({ id: pages.id, slug: pages.slug }).from(pages);

export async function findFriendLink(
  db: Db,
  by: { id: string } | { url: string },
): Promise<FriendLinkRow | null> {
  const [row] = await db
    .select()
    .from(friendLinks)
    .where('id' in by ? eq(friendLinks.id, by.id) : eq(friendLinks.url, by.url))
    .limit(1);
  return row ?? null;
}

export async function listExistingCommentIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.select({ id: comments.id }).from(comments).where(inArray(comments.id, ids));
  return new Set(rows.map((row) => row.id));
}

const hasRows = async (rows: Promise<unknown[]>): Promise<boolean> => (await rows).length > 0;

/** Which of these pictures and attachments exist. */
export async function listFileIds(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(inArray(uploads.id, ids))
    .unionAll(db.select({ id: attachments.id }).from(attachments).where(inArray(attachments.id, ids)));
  return new Set(rows.map(({ id }) => id));
}

/** Imported comments are never newer than their run, and guests do not write here, so the others were written here. */
export const hasNewComments = (db: Db, essayId: string, since: Date): Promise<boolean> =>
  hasRows(
    db
      .select({ id: comments.id })
      .from(comments)
      .where(and(eq(comments.essayId, essayId), isNotNull(comments.userId), gt(comments.createdAt, since)))
      .limit(1),
  );

export const hasColumnEssays = (db: Db, columnId: string): Promise<boolean> =>
  hasRows(db.select({ id: essays.id }).from(essays).where(eq(essays.columnId, columnId)).limit(1));

export const hasCategoryEssays = (db: Db, categoryId: string): Promise<boolean> =>
  hasRows(db.select({ id: essays.id }).from(essays).where(eq(essays.categoryId, categoryId)).limit(1));

/** True if an imported user has been active since, or others have interacted with them. */
export async function isAccountInUse(db: Db, id: string): Promise<boolean> {
  const [row] = await db
    .select({ user: users, account: accounts })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.id, id))
    .for('update', { of: users });
  if (row === undefined) return false;
  const { user, account } = row;
  if (account === null || account.updatedAt.getTime() !== user.createdAt.getTime()) return true;
  if (user.followerCount + user.followingCount > 0) return true;
  const traces = [
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id)).limit(1),
    db.select({ id: essays.id }).from(essays).where(eq(essays.authorId, id)).limit(1),
    db.select({ id: comments.id }).from(comments).where(eq(comments.userId, id)).limit(1),
    db.select({ id: columns.id }).from(columns).where(eq(columns.authorId, id)).limit(1),
    db
      .select({ id: letterThreads.id })
      .from(letterThreads)
      .where(or(eq(letterThreads.userA, id), eq(letterThreads.userB, id)))
      .limit(1),
    db
      .select({ id: conversationMembers.conversationId })
      .from(conversationMembers)
      .where(eq(conversationMembers.userId, id))
      .limit(1),
    db.select({ id: accountRoles.roleId }).from(accountRoles).where(eq(accountRoles.userId, id)).limit(1),
  ];
  for (const trace of traces) if (await hasRows(trace)) return true;
  return false;
}
