import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { type Category, categories } from '../categories/tables.ts';
import { resolveTagAliases } from '../essays/index.ts';
import {
  type ColumnRow,
  columns,
  type EssayRow,
  essays,
  essayTags,
  essayTexts,
  tags,
} from '../essays/tables.ts';
import { sitemapParts } from './tables.ts';

const onShelf = eq(essays.status, ESSAY_STATUS.onShelf);

export interface FeedRow {
  essay: EssayRow;
  /** The public text. */
  html: string;
  author: User;
  category: Category | null;
}

interface FeedFilter {
  categoryId?: string;
  authorId?: string;
  columnId?: string;
  tag?: string;
}

/** Selects the essays before it joins their texts, because the planner cannot know how many texts the join finds. */
export const listNewest = (
  db: Db,
  { categoryId, authorId, columnId, tag, limit }: FeedFilter & { limit: number },
): Promise<FeedRow[]> => {
  const newest = (
    tag === undefined
      ? db
          .select({ id: essays.id, publishedAt: essays.publishedAt })
          .from(essays)
          .where(
            and(
              onShelf,
              categoryId === undefined ? undefined : eq(essays.categoryId, categoryId),
              authorId === undefined ? undefined : eq(essays.authorId, authorId),
              columnId === undefined ? undefined : eq(essays.columnId, columnId),
            ),
          )
          .orderBy(desc(essays.publishedAt), desc(essays.id))
      : db
          .select({ id: essays.id, publishedAt: essayTags.publishedAt })
          .from(essayTags)
          .innerJoin(essays, and(eq(essays.id, essayTags.essayId), onShelf))
          .where(eq(essayTags.tag, tag))
          .orderBy(desc(essayTags.publishedAt), desc(essayTags.essayId))
  )
    .limit(limit)
    .as('newest');
  return db
    .select({ essay: essays, html: essayTexts.html, author: users, category: categories })
    .from(newest)
    .innerJoin(essays, eq(essays.id, newest.id))
    .innerJoin(
      essayTexts,
      and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion)),
    )
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .orderBy(desc(newest.publishedAt), desc(newest.id));
};

export async function findAuthor(db: Db, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return user ?? null;
}

export async function findColumn(db: Db, id: string): Promise<ColumnRow | null> {
  const [column] = await db.select().from(columns).where(eq(columns.id, id));
  return column ?? null;
}

/** Returns the current name of a tag that has essays, which may be requested by a former name. */
export async function findTagName(db: Db, requested: string): Promise<string | null> {
  const [name] = await resolveTagAliases(db, [requested]);
  if (name === undefined) return null;
  const [tag] = await db
    .select()
    .from(tags)
    .where(and(eq(tags.name, name), gt(tags.essayCount, 0)));
  return tag?.name ?? null;
}

export async function findShelvedTitle(db: Db, id: string): Promise<string | null> {
  const [essay] = await db
    .select({ title: essays.title })
    .from(essays)
    .where(and(onShelf, eq(essays.id, id)));
  return essay?.title ?? null;
}

/** The first essay of a part, in the order of publication. */
export interface PartStart {
  publishedAt: Date;
  essayId: string;
}

export const listPartStarts = (db: Db): Promise<PartStart[]> =>
  db.select().from(sitemapParts).orderBy(asc(sitemapParts.publishedAt), asc(sitemapParts.essayId));

/** Serializes changes of the part boundaries until the transaction ends. */
export async function lockParts(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('sitemap_parts'))`);
}

export async function insertPartStart(db: Db, partStart: PartStart): Promise<void> {
  await db.insert(sitemapParts).values(partStart).onConflictDoNothing();
}

const from = (partStart: PartStart | null): SQL | undefined =>
  partStart === null
    ? undefined
    : sql`(${essays.publishedAt}, ${essays.id}) >= (${partStart.publishedAt.toISOString()}::timestamptz, ${partStart.essayId}::uuid)`;
const before = (partStart: PartStart | null): SQL | undefined =>
  partStart === null
    ? undefined
    : sql`(${essays.publishedAt}, ${essays.id}) < (${partStart.publishedAt.toISOString()}::timestamptz, ${partStart.essayId}::uuid)`;
const inOrder = [asc(essays.publishedAt), asc(essays.id)];

/** Finds the essay `distance` positions after `start`. */
export async function findPartStart(
  db: Db,
  start: PartStart | null,
  distance: number,
): Promise<PartStart | null> {
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
  slug: string | null;
  publishedAt: Date | null;
  updatedAt: Date;
}

export const listShelved = (
  db: Db,
  { start, end, limit }: { start: PartStart | null; end: PartStart | null; limit: number },
): Promise<SitemapRow[]> =>
  db
    .select({
      id: essays.id,
      slug: essays.slug,
      publishedAt: essays.publishedAt,
      updatedAt: essays.updatedAt,
    })
    .from(essays)
    .where(and(onShelf, from(start), before(end)))
    .orderBy(...inOrder)
    .limit(limit);

export const listWriters = (db: Db, limit: number): Promise<{ id: string }[]> =>
  db.select({ id: users.id }).from(users).where(gt(users.essayCount, 0)).orderBy(desc(users.id)).limit(limit);

export const listFilledColumns = (db: Db, limit: number): Promise<{ id: string }[]> =>
  db
    .select({ id: columns.id })
    .from(columns)
    .where(gt(columns.essayCount, 0))
    .orderBy(desc(columns.id))
    .limit(limit);
