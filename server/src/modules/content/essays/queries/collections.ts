import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { sqlInt } from '../../../../db/rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { collections, type EssayRow, essays, type FolderRow, folders } from '../tables.ts';
import { MAX_SEARCHED_ROWS } from './own-search.ts';

/** Every change of a user's folders or collections locks the default folder first. Returns false if there is none yet. */
export async function lockDefaultFolder(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.userId, userId), folders.isDefault))
    .for('update');
  return rows.length > 0;
}

export async function insertDefaultFolder(db: Db, folder: typeof folders.$inferInsert): Promise<void> {
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

/** The default folder first, then by age. */
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

export async function findCollectedFolderId(db: Db, userId: string, essayId: string): Promise<string | null> {
  const [row] = await db
    .select({ folderId: collections.folderId })
    .from(collections)
    .where(and(eq(collections.userId, userId), eq(collections.essayId, essayId)));
  return row?.folderId ?? null;
}

export async function insertCollected(db: Db, collected: typeof collections.$inferInsert): Promise<void> {
  await db.insert(collections).values(collected);
}

/** Returns the folder it was in. */
export async function removeCollected(db: Db, userId: string, essayId: string): Promise<string | null> {
  const [row] = await db
    .delete(collections)
    .where(and(eq(collections.userId, userId), eq(collections.essayId, essayId)))
    .returning({ folderId: collections.folderId });
  return row?.folderId ?? null;
}

export interface CollectedEssay {
  essayId: string;
  authorId: string;
}

const ofEssays = (essayIds: string[]) => inArray(collections.essayId, essayIds);

/** Returns the essays that were in another folder before. */
export const moveEssays = (
  db: Db,
  { userId, from, to }: { userId: string; from: { essayIds: string[] } | { folderId: string }; to: string },
): Promise<CollectedEssay[]> =>
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

export const listFolderEssays = (db: Db, folderId: string): Promise<CollectedEssay[]> =>
  db
    .select({ essayId: essays.id, authorId: essays.authorId })
    .from(collections)
    .innerJoin(essays, eq(essays.id, collections.essayId))
    .where(eq(collections.folderId, folderId));

export interface CollectedQuery extends PageQuery {
  userId: string;
  folderId?: string | undefined;
  /** Limits the list to the matches of a search. */
  match?: SQL | undefined;
  isPublicOnly: boolean;
}

export interface CollectedRow {
  id: string;
  essayId: string;
  folderId: string;
  createdAt: Date;
}

/** Newest first; omits essays that have left the shelf. */
export function listCollectedEssays(db: Db, query: CollectedQuery): Promise<Page<CollectedRow>> {
  const { userId, folderId, isPublicOnly } = query;
  const newest = db
    .select({ id: collections.id })
    .from(collections)
    .where(eq(collections.userId, userId))
    .orderBy(desc(collections.id))
    .limit(MAX_SEARCHED_ROWS);
  const match = and(
    eq(collections.userId, userId),
    eq(essays.status, ESSAY_STATUS.onShelf),
    folderId === undefined ? undefined : eq(collections.folderId, folderId),
    isPublicOnly ? folders.isPublic : undefined,
    query.match === undefined ? undefined : and(inArray(collections.id, newest), query.match),
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
 * Deletes the collections of these users and, if requested, those of others with their essays. Locks all affected users,
 * so that nothing is added concurrently.
 */
export async function removeCollectedForUsers(
  db: Db,
  userIds: string[],
  includeOthers: boolean,
): Promise<{ userId: string; essayId: string }[]> {
  const ownEssays = db.select({ id: essays.id }).from(essays).where(inArray(essays.authorId, userIds));
  const match = or(
    inArray(collections.userId, userIds),
    includeOthers ? inArray(collections.essayId, ownEssays) : undefined,
  );
  const affectedUsers = db.select({ userId: collections.userId }).from(collections).where(match);
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(folders.isDefault, inArray(folders.userId, affectedUsers)))
    .orderBy(folders.userId)
    .for('update');
  return db
    .delete(collections)
    .where(match)
    .returning({ userId: collections.userId, essayId: collections.essayId });
}
