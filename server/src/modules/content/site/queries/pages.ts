import { CallError } from '@mozhan/contract/errors.ts';
import type { PageReference } from '@mozhan/contract/navigation.ts';
import { type InfoPageName, infoPageNames, isInfoPageName } from '@mozhan/contract/page-address.ts';
import { and, desc, eq, getTableColumns, inArray, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { formerPageSlugs, type PageRow, pages, pageVersions } from '../tables.ts';

const { content: _, html: __, toc: ___, ...listedColumns } = getTableColumns(pages);
/** A page without its text. */
export type ListedPageRow = Omit<PageRow, 'content' | 'html' | 'toc'>;

const builtInOrder = (slug: string): number => infoPageNames.indexOf(slug as InfoPageName);

/** The pages that come with the program, sorted as in the footer. */
export async function listInfoPages(db: Db): Promise<PageRow[]> {
  const rows = await db
    .select()
    .from(pages)
    .where(inArray(pages.slug, [...infoPageNames]));
  return rows.sort((a, b) => builtInOrder(a.slug) - builtInOrder(b.slug));
}

/** Pages of the program first, then the newest. */
export async function listPages(db: Db): Promise<ListedPageRow[]> {
  const rows = await db.select(listedColumns).from(pages).orderBy(desc(pages.id));
  const [builtIn, own] = [true, false].map((kind) =>
    rows.filter(({ slug }) => isInfoPageName(slug) === kind),
  );
  return [...(builtIn ?? []).toSorted((a, b) => builtInOrder(a.slug) - builtInOrder(b.slug)), ...(own ?? [])];
}

export const listOwnPages = (db: Db): Promise<PageRow[]> =>
  db
    .select()
    .from(pages)
    .where(notInArray(pages.slug, [...infoPageNames]))
    .orderBy(pages.id);

export const listPublishedPages = (db: Db): Promise<Pick<PageRow, 'slug' | 'updatedAt'>[]> =>
  db
    .select({ slug: pages.slug, updatedAt: pages.updatedAt })
    .from(pages)
    .where(and(eq(pages.published, true), notInArray(pages.slug, [...infoPageNames])))
    .orderBy(pages.id);

const pageNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这个页面' });

const isPage = (page: PageReference) => (isInfoPageName(page) ? eq(pages.slug, page) : eq(pages.id, page));

export async function getPage(db: Db, page: PageReference): Promise<PageRow> {
  const [row] = await db.select().from(pages).where(isPage(page));
  if (row === undefined) throw pageNotFound();
  return row;
}

export async function lockPage(db: Db, page: PageReference): Promise<PageRow> {
  const [row] = await db.select().from(pages).where(isPage(page)).for('update');
  if (row === undefined) throw pageNotFound();
  return row;
}

/** By its present slug, or by a former one. */
export async function getPublishedPage(db: Db, slug: string): Promise<PageRow> {
  const former = db
    .select({ id: formerPageSlugs.pageId })
    .from(formerPageSlugs)
    .where(eq(formerPageSlugs.slug, slug));
  const [row] = await db
    .select()
    .from(pages)
    .where(and(eq(pages.published, true), or(eq(pages.slug, slug), inArray(pages.id, former))))
    .orderBy(desc(sql`${pages.slug} = ${slug}`))
    .limit(1);
  if (row === undefined) throw pageNotFound();
  return row;
}

/** Creating pages one at a time keeps their number exact and their slugs unique. */
export async function lockPageCreation(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('pages'))`);
}

export const countOwnPages = (db: Db): Promise<number> =>
  db.$count(pages, notInArray(pages.slug, [...infoPageNames]));

/** Present and former ones. */
export async function listSlugs(db: Db): Promise<Set<string>> {
  const rows = await db
    .select({ slug: pages.slug })
    .from(pages)
    .union(db.select({ slug: formerPageSlugs.slug }).from(formerPageSlugs));
  return new Set(rows.map(({ slug }) => slug));
}

/** Nothing happens if a page with this slug exists. */
export async function insertInfoPage(db: Db, page: PageRow): Promise<void> {
  await db.insert(pages).values(page).onConflictDoNothing();
}

export async function insertPage(db: Db, page: PageRow): Promise<void> {
  await removeFormerSlug(db, page.slug);
  await db.insert(pages).values(page);
}

export async function updatePage(db: Db, page: PageRow): Promise<void> {
  await db.update(pages).set(page).where(eq(pages.id, page.id));
}

export async function removePages(db: Db, ids: string[]): Promise<void> {
  await db.delete(pages).where(inArray(pages.id, ids));
}

/** A slug that is in use again leads to the page that uses it. */
async function removeFormerSlug(db: Db, slug: string): Promise<void> {
  await db.delete(formerPageSlugs).where(eq(formerPageSlugs.slug, slug));
}

export async function replaceSlug(db: Db, before: PageRow, slug: string, now: Date): Promise<void> {
  await removeFormerSlug(db, slug);
  await db
    .insert(formerPageSlugs)
    .values({ slug: before.slug, pageId: before.id, createdAt: now })
    .onConflictDoUpdate({ target: formerPageSlugs.slug, set: { pageId: before.id, createdAt: now } });
}

export async function findPageById(db: Db, id: string): Promise<PageRow | null> {
  const [row] = await db.select().from(pages).where(eq(pages.id, id));
  return row ?? null;
}

export async function lockPageById(db: Db, id: string): Promise<PageRow | null> {
  const [row] = await db.select().from(pages).where(eq(pages.id, id)).for('update');
  return row ?? null;
}

export async function lockImportedPage(db: Db, transferIds: string[], key: string): Promise<PageRow | null> {
  const [row] = await db
    .select()
    .from(pages)
    .where(and(inArray(pages.transferId, transferIds), eq(pages.importKey, key)))
    .orderBy(desc(pages.id))
    .limit(1)
    .for('update');
  return row ?? null;
}

export const lockImportedPages = (db: Db, transferId: string): Promise<ListedPageRow[]> =>
  db
    .select(listedColumns)
    .from(pages)
    .where(eq(pages.transferId, transferId))
    .orderBy(pages.id)
    .for('update');

const MAX_VERSIONS = 50;

/** Adds a version to the history and deletes versions beyond `MAX_VERSIONS`. */
export async function insertPageVersion(db: Db, page: PageRow, userId: string | null): Promise<void> {
  const { id: pageId, version, title, content, updatedAt } = page;
  await db
    .insert(pageVersions)
    .values({ pageId, version, title, content, userId, createdAt: updatedAt })
    .onConflictDoNothing();
  await db
    .delete(pageVersions)
    .where(and(eq(pageVersions.pageId, pageId), lte(pageVersions.version, version - MAX_VERSIONS)));
}

export interface PageVersionRow {
  version: typeof pageVersions.$inferSelect;
  user: User | null;
}

const selectVersions = (db: Db) =>
  db
    .select({ version: pageVersions, user: users })
    .from(pageVersions)
    .leftJoin(users, eq(users.id, pageVersions.userId));

/** Newest first. */
export const listPageVersions = (db: Db, pageId: string): Promise<PageVersionRow[]> =>
  selectVersions(db).where(eq(pageVersions.pageId, pageId)).orderBy(desc(pageVersions.version));

export async function getPageVersion(db: Db, pageId: string, version: number): Promise<PageVersionRow> {
  const [row] = await selectVersions(db).where(
    and(eq(pageVersions.pageId, pageId), eq(pageVersions.version, version)),
  );
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个版本' });
  return row;
}
