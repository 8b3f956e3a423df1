import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { collections, type EssayRow, essays, type FolderRow, folders } from '../tables.ts';

/** Whoever changes a person's collections or folders holds their default folder. False when they have none yet. */
export async function lockDefault(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.userId, userId), folders.isDefault))
    .for('update');
  return rows.length > 0;
}

/** Nothing happens when another made it meanwhile. */
export async function insertDefault(db: Db, folder: typeof folders.$inferInsert): Promise<void> {
  await db.insert(folders).values(folder).onConflictDoNothing();
}

export async function insertFolder(db: Db, folder: typeof folders.$inferInsert): Promise<FolderRow[]> {
  return db.insert(folders).values(folder).returning();
}

export async function updateFolder(
  db: Db,
  id: string,
  fields: { name?: string | undefined; isPublic?: boolean | undefined },
): Promise<FolderRow[]> {
  return db.update(folders).set(fields).where(eq(folders.id, id)).returning();
}

export async function removeFolder(db: Db, id: string): Promise<void> {
  await db.delete(folders).where(eq(folders.id, id));
}

/** The default one first, then the oldest. */
export const listFolders = (db: Db, userId: string): Promise<FolderRow[]> =>
  db.select().from(folders).where(eq(folders.userId, userId)).orderBy(desc(folders.isDefault), folders.id);

export async function findFolder(db: Db, id: string): Promise<{ folder: FolderRow; user: User } | null> {
  const [row] = await db
    .select({ folder: folders, user: users })
    .from(folders)
    .innerJoin(users, eq(users.id, folders.userId))
    .where(eq(folders.id, id));
  return row ?? null;
}

export async function addToFolder(db: Db, id: string, by: 1 | -1): Promise<void> {
  await db
    .update(folders)
    .set({ essayCount: sql`${folders.essayCount} + ${by}::int` })
    .where(eq(folders.id, id));
}

/** After several went from one to another. */
export async function recountFolders(db: Db, userIds: string[]): Promise<void> {
  await db.execute(sql`
    update folders set essay_count = counted.count
    from (
      select folders.id, count(collections.id)::int as count
      from folders left join collections on collections.folder_id = folders.id
      where folders.user_id = any(${sql.param(userIds)}::uuid[]) group by 1
    ) as counted
    where folders.id = counted.id and folders.essay_count <> counted.count`);
}

export async function lockEssay(db: Db, id: string): Promise<EssayRow | undefined> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('no key update');
  return essay;
}

/** In which folder of theirs a person has an essay. */
export async function findPlace(db: Db, userId: string, essayId: string): Promise<string | null> {
  const [row] = await db
    .select({ folderId: collections.folderId })
    .from(collections)
    .where(and(eq(collections.userId, userId), eq(collections.essayId, essayId)));
  return row?.folderId ?? null;
}

export async function insertCollected(db: Db, collected: typeof collections.$inferInsert): Promise<void> {
  await db.insert(collections).values(collected);
}

/** Answers with the folder it was in. */
export async function removeCollected(db: Db, userId: string, essayId: string): Promise<string | null> {
  const [row] = await db
    .delete(collections)
    .where(and(eq(collections.userId, userId), eq(collections.essayId, essayId)))
    .returning({ folderId: collections.folderId });
  return row?.folderId ?? null;
}

/** What is in a folder, and whose it is. */
export interface Held {
  essayId: string;
  authorId: string;
}

const ofEssays = (essayIds: string[]) => inArray(collections.essayId, essayIds);

/** Answers with what was elsewhere before. */
export const moveEssays = (
  db: Db,
  { userId, from, to }: { userId: string; from: { essayIds: string[] } | { folderId: string }; to: string },
): Promise<Held[]> =>
  db
    .update(collections)
    .set({ folderId: to })
    .from(essays)
    .where(
      and(
        eq(essays.id, collections.essayId),
        eq(collections.userId, userId),
        'folderId' in from ? eq(collections.folderId, from.folderId) : ofEssays(from.essayIds),
        sql`${collections.folderId} <> ${to}`,
      ),
    )
    .returning({ essayId: essays.id, authorId: essays.authorId });

export const listHeld = (db: Db, folderId: string): Promise<Held[]> =>
  db
    .select({ essayId: essays.id, authorId: essays.authorId })
    .from(collections)
    .innerJoin(essays, eq(essays.id, collections.essayId))
    .where(eq(collections.folderId, folderId));

export interface CollectedQuery extends PageQuery {
  userId: string;
  folderId?: string | undefined;
  /** In the title or the author's name. */
  keyword?: string | undefined;
  isPublicOnly: boolean;
}

export interface CollectedRow {
  id: string;
  essayId: string;
  folderId: string;
  createdAt: Date;
}

/** What somebody collected, newest first; essays that are gone from the shelf are left out. */
export function listCollected(db: Db, query: CollectedQuery): Promise<Page<CollectedRow>> {
  const { userId, folderId, keyword = '', isPublicOnly } = query;
  const has = (text: SQL) => sql`strpos(lower(${text}), lower(${keyword})) > 0`;
  const match = and(
    eq(collections.userId, userId),
    eq(essays.status, ESSAY_STATUS.onShelf),
    folderId === undefined ? undefined : eq(collections.folderId, folderId),
    isPublicOnly ? folders.isPublic : undefined,
    keyword === '' ? undefined : or(has(sql`${essays.title}`), has(sql`${users.displayName}`)),
  );
  return listPage(db, query, {
    select: db
      .select({
        id: collections.id,
        essayId: collections.essayId,
        folderId: collections.folderId,
        createdAt: collections.createdAt,
      })
      .from(collections)
      .innerJoin(folders, eq(folders.id, collections.folderId))
      .innerJoin(essays, eq(essays.id, collections.essayId))
      .innerJoin(users, eq(users.id, essays.authorId)),
    match,
    id: collections.id,
    total: async () => {
      const [row] = await db
        .select({ total: sqlInt`count(*)::int` })
        .from(collections)
        .innerJoin(folders, eq(folders.id, collections.folderId))
        .innerJoin(essays, eq(essays.id, collections.essayId))
        .innerJoin(users, eq(users.id, essays.authorId))
        .where(match);
      return row?.total ?? 0;
    },
    key: (row) => [row.id],
  });
}

/**
 * Takes these people's collections away, and what they wrote out of everyone's; answers with what was where. They are
 * locked, and whoever has something of theirs, so that nothing comes after.
 */
export async function removeCollectedAround(
  db: Db,
  userIds: string[],
  ofOthersToo: boolean,
): Promise<{ userId: string; essayId: string }[]> {
  const theirs = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  const match = or(
    inArray(collections.userId, userIds),
    ofOthersToo ? inArray(collections.essayId, theirs) : undefined,
  );
  const holders = db.select({ userId: collections.userId }).from(collections).where(match);
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(folders.isDefault, inArray(folders.userId, holders)))
    .orderBy(folders.userId)
    .for('update');
  return db
    .delete(collections)
    .where(match)
    .returning({ userId: collections.userId, essayId: collections.essayId });
}
