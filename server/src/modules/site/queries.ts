import { eq } from 'drizzle-orm';
import { CallError } from '#contract/errors.ts';
import { type InfoPageName, infoPageNames } from '#contract/site.ts';
import type { Db } from '../../db/client.ts';
import { type InfoPageRow, infoPages } from './tables.ts';

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
