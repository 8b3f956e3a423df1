import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { type Category, categories } from '../categories/tables.ts';
import { type EssayRow, essays, essayTexts } from '../essays/tables.ts';
import { sitemapParts } from './tables.ts';

const onShelf = eq(essays.status, ESSAY_STATUS.onShelf);

export interface FeedRow {
  essay: EssayRow;
  /** What everyone may read of it. */
  html: string;
  author: User;
  category: Category | null;
}

/** The newest on the shelf: of all, of a category or of an author. */
export const listNewest = (
  db: Db,
  { categoryId, authorId, limit }: { categoryId?: string; authorId?: string; limit: number },
): Promise<FeedRow[]> =>
  db
    .select({ essay: essays, html: essayTexts.html, author: users, category: categories })
    .from(essays)
    .innerJoin(
      essayTexts,
      and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion)),
    )
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .where(
      and(
        onShelf,
        categoryId === undefined ? undefined : eq(essays.categoryId, categoryId),
        authorId === undefined ? undefined : eq(essays.authorId, authorId),
      ),
    )
    .orderBy(desc(essays.publishedAt), desc(essays.id))
    .limit(limit);

export async function findAuthor(db: Db, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return user ?? null;
}

export async function findShelvedTitle(db: Db, id: string): Promise<string | null> {
  const [essay] = await db
    .select({ title: essays.title })
    .from(essays)
    .where(and(onShelf, eq(essays.id, id)));
  return essay?.title ?? null;
}

/** A place in the order of publication. */
export interface Place {
  publishedAt: Date;
  essayId: string;
}

export const listPlaces = (db: Db): Promise<Place[]> =>
  db.select().from(sitemapParts).orderBy(asc(sitemapParts.publishedAt), asc(sitemapParts.essayId));

/** Held until the transaction ends: parts are divided by one process at a time. */
export async function lockPlaces(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('sitemap_parts'))`);
}

export async function insertPlace(db: Db, place: Place): Promise<void> {
  await db.insert(sitemapParts).values(place).onConflictDoNothing();
}

const from = (place: Place | null): SQL | undefined =>
  place === null
    ? undefined
    : sql`(${essays.publishedAt}, ${essays.id}) >= (${place.publishedAt.toISOString()}::timestamptz, ${place.essayId}::uuid)`;
const before = (place: Place | null): SQL | undefined =>
  place === null
    ? undefined
    : sql`(${essays.publishedAt}, ${essays.id}) < (${place.publishedAt.toISOString()}::timestamptz, ${place.essayId}::uuid)`;
const inOrder = [asc(essays.publishedAt), asc(essays.id)];

/** The essay that so many others lie before, from a place on. */
export async function findPlace(db: Db, start: Place | null, distance: number): Promise<Place | null> {
  const [row] = await db
    .select({ publishedAt: essays.publishedAt, essayId: essays.id })
    .from(essays)
    .where(and(onShelf, from(start)))
    .orderBy(...inOrder)
    .offset(distance)
    .limit(1);
  return row === undefined || row.publishedAt === null ? null : { ...row, publishedAt: row.publishedAt };
}

export interface SitemapRow {
  id: string;
  publishedAt: Date | null;
  updatedAt: Date;
}

export const listShelved = (
  db: Db,
  { start, end, limit }: { start: Place | null; end: Place | null; limit: number },
): Promise<SitemapRow[]> =>
  db
    .select({ id: essays.id, publishedAt: essays.publishedAt, updatedAt: essays.updatedAt })
    .from(essays)
    .where(and(onShelf, from(start), before(end)))
    .orderBy(...inOrder)
    .limit(limit);

/** Those who have something on the shelf, the newest first. */
export const listWriters = (db: Db, limit: number): Promise<{ id: string }[]> =>
  db.select({ id: users.id }).from(users).where(gt(users.essayCount, 0)).orderBy(desc(users.id)).limit(limit);
