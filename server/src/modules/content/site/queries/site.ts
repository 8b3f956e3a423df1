import { CallError } from '@mozhan/contract/errors.ts';
import { type InfoPageName, infoPageNames } from '@mozhan/contract/site.ts';
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type InfoPageRow, infoPages, infoPageVersions } from '../tables.ts';

/** Sorted as in the footer. */
export async function listInfoPages(db: Db): Promise<InfoPageRow[]> {
  const rows = await db.select().from(infoPages);
  return rows.sort((a, b) => infoPageNames.indexOf(a.name) - infoPageNames.indexOf(b.name));
}

const pageNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这个页面' });

export async function getInfoPage(db: Db, name: InfoPageName): Promise<InfoPageRow> {
  const [page] = await db.select().from(infoPages).where(eq(infoPages.name, name));
  if (page === undefined) throw pageNotFound();
  return page;
}

export async function lockInfoPage(db: Db, name: InfoPageName): Promise<InfoPageRow> {
  const [page] = await db.select().from(infoPages).where(eq(infoPages.name, name)).for('update');
  if (page === undefined) throw pageNotFound();
  return page;
}

export async function insertInfoPage(db: Db, page: typeof infoPages.$inferInsert): Promise<void> {
  await db.insert(infoPages).values(page).onConflictDoNothing();
}

export async function updateInfoPage(db: Db, page: InfoPageRow): Promise<void> {
  await db.update(infoPages).set(page).where(eq(infoPages.name, page.name));
}

const MAX_VERSIONS = 50;

/** Adds a version to the history and deletes versions beyond `MAX_VERSIONS`. */
export async function insertInfoPageVersion(db: Db, page: InfoPageRow, userId: string | null): Promise<void> {
  const { name, version, title, content, updatedAt } = page;
  await db
    .insert(infoPageVersions)
    .values({ name, version, title, content, userId, createdAt: updatedAt })
    .onConflictDoNothing();
  await db
    .delete(infoPageVersions)
    .where(and(eq(infoPageVersions.name, name), lte(infoPageVersions.version, version - MAX_VERSIONS)));
}

export interface InfoPageVersionRow {
  version: typeof infoPageVersions.$inferSelect;
  user: User | null;
}

const selectVersions = (db: Db) =>
  db
    .select({ version: infoPageVersions, user: users })
    .from(infoPageVersions)
    .leftJoin(users, eq(users.id, infoPageVersions.userId));

/** Newest first. */
export const listInfoPageVersions = (db: Db, name: InfoPageName): Promise<InfoPageVersionRow[]> =>
  selectVersions(db).where(eq(infoPageVersions.name, name)).orderBy(desc(infoPageVersions.version));

export async function getInfoPageVersion(
  db: Db,
  name: InfoPageName,
  version: number,
): Promise<InfoPageVersionRow> {
  const [row] = await selectVersions(db).where(
    and(eq(infoPageVersions.name, name), eq(infoPageVersions.version, version)),
  );
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个版本' });
  return row;
}
