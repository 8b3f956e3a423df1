import type { UploadKind } from '@mozhan/contract/uploads.ts';
import { and, asc, eq, inArray, lt, notExists, type SQL, sql, sum } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { attachments, discardedFiles, type UploadTotals, uploads, uploadTotals } from '../tables.ts';

export async function findTotals(db: Db, userId: string): Promise<UploadTotals> {
  const [row] = await db.select().from(uploadTotals).where(eq(uploadTotals.userId, userId));
  return row ?? { userId, imageBytes: 0, attachmentBytes: 0, imageQuota: null, attachmentQuota: null };
}

export async function upsertQuotas(
  db: Db,
  userId: string,
  quotas: Partial<Pick<UploadTotals, 'imageQuota' | 'attachmentQuota'>>,
): Promise<void> {
  if (Object.keys(quotas).length === 0) return;
  await db
    .insert(uploadTotals)
    .values({ userId, ...quotas })
    .onConflictDoUpdate({ target: uploadTotals.userId, set: quotas });
}

/** Bytes of all users together. */
export async function sumTotals(db: Db): Promise<{ image: number; attachment: number }> {
  const [row] = await db
    .select({
      image: sum(uploadTotals.imageBytes).mapWith(Number),
      attachment: sum(uploadTotals.attachmentBytes).mapWith(Number),
    })
    .from(uploadTotals);
  return { image: row?.image ?? 0, attachment: row?.attachment ?? 0 };
}

export interface UnusedFilter {
  /** Uploaded before this time. */
  before: Date;
  userId?: string;
  ids?: readonly string[];
}

const tables = { image: uploads, attachment: attachments };

const matchesUnused = (kind: UploadKind, { before, userId, ids }: UnusedFilter): SQL | undefined => {
  const table = tables[kind];
  return and(
    sql`not ${table.isUsed}`,
    lt(table.createdAt, before),
    userId === undefined ? undefined : eq(table.userId, userId),
    ids === undefined ? undefined : inArray(table.id, [...ids]),
  );
};

export async function sumUnused(
  db: Db,
  kind: UploadKind,
  filter: UnusedFilter,
): Promise<{ count: number; bytes: number }> {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number), bytes: sum(tables[kind].bytes).mapWith(Number) })
    .from(tables[kind])
    .where(matchesUnused(kind, filter));
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 };
}

export interface RemovedFile {
  id: string;
  bytes: number;
  paths: string[];
}

/**
 * Deletes rows that nothing uses, oldest first. A row that is being used at this moment is locked by its new use and has
 * `isUsed` set when the lock is free, so that it stays.
 */
export async function removeUnused(
  db: Db,
  kind: UploadKind,
  filter: UnusedFilter,
  limit: number,
): Promise<RemovedFile[]> {
  const table = tables[kind];
  const candidates = db
    .select({ id: table.id })
    .from(table)
    .where(matchesUnused(kind, filter))
    .orderBy(asc(table.id))
    .limit(limit)
    .for('update');
  // The condition is repeated, because it is checked again only for rows of the deleting statement.
  const match = and(inArray(table.id, candidates), matchesUnused(kind, filter));
  if (kind === 'attachment') {
    const rows = await db.delete(attachments).where(match).returning();
    return rows.map(({ id, bytes, path }) => ({ id, bytes, paths: [path] }));
  }
  const rows = await db.delete(uploads).where(match).returning();
  return rows.map(({ id, bytes, path, thumbPath, middlePath }) => ({
    id,
    bytes,
    paths: [path, thumbPath, ...(middlePath === null ? [] : [middlePath])],
  }));
}

export async function insertDiscarded(db: Db, paths: readonly string[], now: Date): Promise<void> {
  if (paths.length === 0) return;
  // One parameter for all paths: building a statement with thousands would hold up the process.
  await db.execute(sql`
    insert into ${discardedFiles} (path, discarded_at)
    select path, ${now.toISOString()}::timestamptz from unnest(${sql.param([...new Set(paths)].sort())}::text[]) as path
    order by path
    on conflict (path) do update set discarded_at = excluded.discarded_at`);
}

/** Waits for a process that is deleting one of the files. */
export async function removeDiscarded(db: Db, paths: readonly string[]): Promise<void> {
  await db.delete(discardedFiles).where(inArray(discardedFiles.path, [...paths]));
}

/** Locks the file that was discarded first, so that an upload of the same content waits; null if there is none. */
export async function lockDiscarded(db: Db, before: Date): Promise<string | null> {
  const [row] = await db
    .select({ path: discardedFiles.path })
    .from(discardedFiles)
    .where(lt(discardedFiles.discardedAt, before))
    .orderBy(asc(discardedFiles.discardedAt), asc(discardedFiles.path))
    .limit(1)
    .for('update', { skipLocked: true });
  return row?.path ?? null;
}

export async function isFileOfUpload(db: Db, path: string): Promise<boolean> {
  const pictures = (column: PgColumn) => db.select({ id: uploads.id }).from(uploads).where(eq(column, path));
  const rows = await pictures(uploads.path)
    .unionAll(pictures(uploads.thumbPath))
    .unionAll(pictures(uploads.middlePath))
    .unionAll(db.select({ id: attachments.id }).from(attachments).where(eq(attachments.path, path)))
    .limit(1);
  return rows.length > 0;
}

const uses = { image: 'upload_id', attachment: 'attachment_id' } as const;

/**
 * Marks files whose last two uses ended in two transactions at the same time, which the triggers cannot notice. Rows that
 * get a use meanwhile are locked by it, so that they stay marked as used.
 */
export async function markUnused(db: Db, kind: UploadKind): Promise<void> {
  const table = tables[kind];
  const isWithoutUse = notExists(
    db
      .select({ one: sql`1` })
      .from(sql`upload_uses`)
      .where(sql`upload_uses.${sql.identifier(uses[kind])} = ${table.id}`),
  );
  const found = await db
    .select({ id: table.id })
    .from(table)
    .where(and(table.isUsed, isWithoutUse))
    .orderBy(asc(table.id))
    .for('update');
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  await db
    .update(table)
    .set({ isUsed: false })
    .where(and(inArray(table.id, ids), isWithoutUse));
}
