import { CallError } from '@mozhan/contract/errors.ts';
import { type InfoPageName, infoPageNames } from '@mozhan/contract/site.ts';
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type InfoPageRow, infoPages, infoPageVersions } from '../tables.ts';

/** In the order of the footer. */
export async function listInfoPages(db: Db): Promise<InfoPageRow[]> {
  const rows = await db.select().from(infoPages);
  return rows.sort((a, b) => infoPageNames.indexOf(a.name) - infoPageNames.indexOf(b.name));
}

const noPage = () => new CallError('NOT_FOUND', { message: '没有找到这个页面' });

export async function getInfoPage(db: Db, name: InfoPageName): Promise<InfoPageRow> {
  const [page] = await db.select().from(infoPages).where(eq(infoPages.name, name));
  if (page === undefined) throw noPage();
  return page;
}

/** Nobody else changes it until the transaction ends. */
export async function lockInfoPage(db: Db, name: InfoPageName): Promise<InfoPageRow> {
  const [page] = await db.select().from(infoPages).where(eq(infoPages.name, name)).for('update');
  if (page === undefined) throw noPage();
  return page;
}

export async function insertInfoPage(db: Db, page: typeof infoPages.$inferInsert): Promise<void> {
  await db.insert(infoPages).values(page).onConflictDoNothing();
}

export async function updateInfoPage(db: Db, page: InfoPageRow): Promise<void> {
  await db.update(infoPages).set(page).where(eq(infoPages.name, page.name));
}

/** Older ones are let go. */
const KEPT_VERSIONS = 50;

/** As it is by now, and whose words these are. */
export async function insertVersion(db: Db, page: InfoPageRow, userId: string | null): Promise<void> {
  const { name, version, title, content, updatedAt } = page;
  await db
    .insert(infoPageVersions)
    .values({ name, version, title, content, userId, createdAt: updatedAt })
    .onConflictDoNothing();
  await db
    .delete(infoPageVersions)
    .where(and(eq(infoPageVersions.name, name), lte(infoPageVersions.version, version - KEPT_VERSIONS)));
}

export interface VersionRow {
  version: typeof infoPageVersions.$inferSelect;
  user: User | null;
}

const selectVersions = (db: Db) =>
  db
    .select({ version: infoPageVersions, user: users })
    .from(infoPageVersions)
    .leftJoin(users, eq(users.id, infoPageVersions.userId));

/** The newest first. */
export const listVersions = (db: Db, name: InfoPageName): Promise<VersionRow[]> =>
  selectVersions(db).where(eq(infoPageVersions.name, name)).orderBy(desc(infoPageVersions.version));

export async function getVersion(db: Db, name: InfoPageName, version: number): Promise<VersionRow> {
  const [row] = await selectVersions(db).where(
    and(eq(infoPageVersions.name, name), eq(infoPageVersions.version, version)),
  );
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个版本' });
  return row;
}
