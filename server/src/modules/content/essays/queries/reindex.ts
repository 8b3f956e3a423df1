import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow } from '../../../../db/rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { essayCounts, essays, type ReindexRunRow, reindexRuns, unindexedEssays } from '../tables.ts';

const REINDEX_LOCK = 0x72656978;
const lockedRow = z.object({ locked: z.boolean() });

/** Returns false if another process is indexing. */
export async function tryLockReindexing(db: Db): Promise<boolean> {
  const result = await db.execute(sql`select pg_try_advisory_xact_lock(${REINDEX_LOCK}) as locked`);
  return parseRow(lockedRow, result).locked;
}

export async function insertRun(db: Db, run: typeof reindexRuns.$inferInsert): Promise<void> {
  await db.insert(reindexRuns).values(run);
}

/** There is at most one run that is not finished. */
export async function lockRunningRun(db: Db): Promise<ReindexRunRow | null> {
  const [run] = await db.select().from(reindexRuns).where(eq(reindexRuns.state, 'running')).for('update');
  return run ?? null;
}

export async function lockRun(db: Db, id: string): Promise<ReindexRunRow | null> {
  const [run] = await db.select().from(reindexRuns).where(eq(reindexRuns.id, id)).for('update');
  return run ?? null;
}

export async function updateRun(db: Db, id: string, fields: Partial<ReindexRunRow>): Promise<void> {
  await db.update(reindexRuns).set(fields).where(eq(reindexRuns.id, id));
}

export const listRuns = (db: Db, limit: number): Promise<{ run: ReindexRunRow; starter: User | null }[]> =>
  db
    .select({ run: reindexRuns, starter: users })
    .from(reindexRuns)
    .leftJoin(users, eq(users.id, reindexRuns.startedBy))
    .orderBy(desc(reindexRuns.id))
    .limit(limit);

export async function countShelved(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: essayCounts.count })
    .from(essayCounts)
    .where(eq(essayCounts.key, ''));
  return row?.count ?? 0;
}

/** The next essays on the shelf in the order of their ids. */
export async function listShelvedIdsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: essays.id })
    .from(essays)
    .where(and(eq(essays.status, ESSAY_STATUS.onShelf), gt(essays.id, after)))
    .orderBy(asc(essays.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** The upsert waits for a step that may have read the old name. */
async function queueEssays(db: Db, match: SQL): Promise<void> {
  await db
    .insert(unindexedEssays)
    .select(
      db
        .select({ essayId: essays.id })
        .from(essays)
        .where(and(match, eq(essays.status, ESSAY_STATUS.onShelf)))
        .orderBy(asc(essays.id)),
    )
    .onConflictDoUpdate({ target: unindexedEssays.essayId, set: { essayId: sql`excluded.essay_id` } });
}

export const queueAuthorEssays = (db: Db, authorId: string): Promise<void> =>
  queueEssays(db, eq(essays.authorId, authorId));

export const queueColumnEssays = (db: Db, columnId: string): Promise<void> =>
  queueEssays(db, eq(essays.columnId, columnId));

export async function claimUnindexedEssays(db: Db, limit: number): Promise<string[]> {
  const first = db
    .select({ essayId: unindexedEssays.essayId })
    .from(unindexedEssays)
    .orderBy(asc(unindexedEssays.essayId))
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await db
    .delete(unindexedEssays)
    .where(inArray(unindexedEssays.essayId, first))
    .returning({ id: unindexedEssays.essayId });
  return rows.map((row) => row.id);
}

const pendingRow = z.object({ pending: z.boolean() });

export async function hasPendingWork(db: Db): Promise<boolean> {
  const result = await db.execute(sql`
    select exists (select from reindex_runs where state = 'running')
      or exists (select from unindexed_essays) as pending`);
  return parseRow(pendingRow, result).pending;
}
