import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { listPage } from '../../../db/list-page.ts';
import { mapPage, type PageQuery } from '../../../db/page.ts';
import { parseRows, sqlInt } from '../../../db/rows.ts';
import { users } from '../../accounts/users/tables.ts';
import { categories } from '../categories/tables.ts';
import { type EssayRow, essays } from '../essays/tables.ts';
import { type ShareRow, shareReads, shares } from './tables.ts';

export type ShareKey = Pick<ShareRow, 'userId' | 'essayId' | 'channel'>;

const matchesKey = ({ userId, essayId, channel }: ShareKey) =>
  and(eq(shares.userId, userId), eq(shares.essayId, essayId), eq(shares.channel, channel));

export async function findShare(db: Db, key: ShareKey): Promise<ShareRow | null> {
  const [share] = await db.select().from(shares).where(matchesKey(key));
  return share ?? null;
}

/** Serializes shares of the same essay, so that only one becomes the user's first. */
export async function lockEssay(db: Db, id: string): Promise<EssayRow | null> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('no key update');
  return essay ?? null;
}

export async function hasShared(db: Db, userId: string, essayId: string): Promise<boolean> {
  const rows = await db
    .select({ id: shares.id })
    .from(shares)
    .where(and(eq(shares.userId, userId), eq(shares.essayId, essayId), shares.counted))
    .limit(1);
  return rows.length > 0;
}

export async function insertShare(db: Db, share: typeof shares.$inferInsert): Promise<void> {
  await db.insert(shares).values(share);
}

/** Marks a prepared share as counted. Ids encode the time, so it gets a new id with the time of sharing. */
export async function markCounted(
  db: Db,
  id: string,
  counted: Pick<ShareRow, 'id' | 'isFirst' | 'createdAt'>,
): Promise<ShareRow> {
  const [share] = await db
    .update(shares)
    .set({ ...counted, counted: true })
    .where(eq(shares.id, id))
    .returning();
  if (share === undefined) throw new Error('no share');
  return share;
}

export interface ShareWithEssay {
  share: ShareRow;
  essay: EssayRow;
}

export async function findShareByCode(db: Db, code: string): Promise<ShareWithEssay | null> {
  const [row] = await db
    .select({ share: shares, essay: essays })
    .from(shares)
    .innerJoin(essays, eq(essays.id, shares.essayId))
    .where(eq(shares.code, code));
  return row ?? null;
}

interface Visit {
  day: string;
  shareId: string;
  reader: Buffer;
}

/** Returns false if this visitor was counted that day before. */
export async function insertVisit(db: Db, visit: Visit): Promise<boolean> {
  const rows = await db
    .insert(shareReads)
    .values(visit)
    .onConflictDoNothing()
    .returning({ day: shareReads.day });
  return rows.length > 0;
}

/** The update locks the share, which serializes concurrent visits. */
export async function incrementReadCount(db: Db, shareId: string): Promise<void> {
  await db
    .update(shares)
    .set({ readCount: sql`${shares.readCount} + 1` })
    .where(eq(shares.id, shareId));
}

export async function hasOtherVisit(db: Db, { day, shareId, reader }: Visit): Promise<boolean> {
  const rows = await db
    .select({ day: shareReads.day })
    .from(shareReads)
    .where(and(eq(shareReads.day, day), eq(shareReads.shareId, shareId), ne(shareReads.reader, reader)))
    .limit(1);
  return rows.length > 0;
}

export async function removeOldVisits(db: Db, before: string): Promise<void> {
  await db.delete(shareReads).where(lt(shareReads.day, before));
}

/** Newest first; includes essays that have left the shelf. */
export function listCountedShares(db: Db, query: PageQuery & { userId: string }): Promise<Page<ShareRow>> {
  const match = and(eq(shares.userId, query.userId), shares.counted);
  return listPage(db, query, {
    select: db.select().from(shares),
    match,
    id: shares.id,
    key: (share) => [share.id],
  });
}

/** Each essay once, newest first; omits essays that have left the shelf. */
export async function listSharedEssays(
  db: Db,
  query: PageQuery & { userId: string },
): Promise<Page<ShareRow>> {
  const match = and(eq(shares.userId, query.userId), shares.isFirst, eq(essays.status, ESSAY_STATUS.onShelf));
  const isShelved = eq(essays.id, shares.essayId);
  const page = await listPage(db, query, {
    select: db.select({ share: shares }).from(shares).innerJoin(essays, isShelved),
    match,
    id: shares.id,
    total: async () => {
      const [row] = await db
        .select({ total: sqlInt`count(*)::int` })
        .from(shares)
        .innerJoin(essays, isShelved)
        .where(match);
      return row?.total ?? 0;
    },
    key: ({ share }) => [share.id],
  });
  return mapPage(page, ({ share }) => share);
}

const removedRow = z.object({ essay_id: z.string(), count: z.int() });

/** Locks the users, so that no share is added concurrently. Returns the number of counted shares per essay. */
export async function removeSharesOf(
  db: Db,
  userIds: string[],
): Promise<{ essayId: string; count: number }[]> {
  await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, userIds))
    .orderBy(users.id)
    .for('update');
  const result = await db.execute(sql`
    with gone as (
      delete from shares where user_id = any(${sql.param(userIds)}::uuid[]) returning essay_id, counted
    )
    select essay_id, count(*)::int as count from gone where counted group by essay_id order by essay_id`);
  return parseRows(removedRow, result).map((row) => ({ essayId: row.essay_id, count: row.count }));
}

export interface PosterRow {
  essay: EssayRow;
  author: string;
  face: string;
  category: string | null;
}

export async function findPosterRow(db: Db, essayId: string): Promise<PosterRow | null> {
  const [row] = await db
    .select({
      essay: essays,
      author: users.displayName,
      face: users.headImg,
      category: categories.name,
    })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .where(eq(essays.id, essayId));
  return row ?? null;
}
