import type { Backup } from '@mozhan/contract/backups.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { parseRow } from '../../../db/rows.ts';
import { SUPER_ROLE } from '../../accounts/access/index.ts';
import { accountRoles, roles } from '../../accounts/access/tables.ts';
import { users } from '../../accounts/users/tables.ts';
import { type BackupRow, backups } from './tables.ts';

export interface BackupWithUser {
  backup: BackupRow;
  by: string | null;
}

export const backupRows = createRowQueries(backups, '没有找到这份备份');

const selectWithUser = (db: Db) =>
  db
    .select({ backup: backups, by: users.displayName })
    .from(backups)
    .leftJoin(users, eq(users.id, backups.userId));

export function listBackups(
  db: Db,
  query: PageQuery & { madeBy?: Backup['madeBy'] | undefined; status?: Backup['status'] | undefined },
): Promise<Page<BackupWithUser>> {
  const match = and(
    query.madeBy === undefined ? undefined : eq(backups.madeBy, query.madeBy),
    query.status === undefined ? undefined : eq(backups.status, query.status),
  );
  return listPage(db, query, {
    select: selectWithUser(db),
    match,
    by: backups.createdAt,
    id: backups.id,
    key: ({ backup }) => [backup.createdAt, backup.id],
  });
}

export async function getBackupWithUser(db: Db, id: string): Promise<BackupWithUser> {
  const [row] = await selectWithUser(db).where(eq(backups.id, id));
  if (row === undefined) throw backupRows.notFoundError();
  return row;
}

/** For files without a row: created by the command, or copied from another machine. */
export async function insertFoundBackup(db: Db, backup: typeof backups.$inferInsert): Promise<void> {
  await db.insert(backups).values(backup).onConflictDoNothing();
}

/** Returns null when the backup was removed, is finished, or is being written by another process. */
export async function claimBackup(
  db: Db,
  id: string,
  now: Date,
  stalledSince: Date,
): Promise<BackupRow | null> {
  const [row] = await db
    .update(backups)
    .set({ status: 'running', seenAt: now, done: 0, message: '', attempts: sql`${backups.attempts} + 1` })
    .where(
      and(
        eq(backups.id, id),
        sql`(${backups.status} = 'waiting' or ${backups.status} = 'running' and ${backups.seenAt} < ${stalledSince.toISOString()}::timestamptz)`,
      ),
    )
    .returning();
  return row ?? null;
}

/** Returns false when another process has claimed the backup. */
export async function updateBackup(
  db: Db,
  { id, attempts }: Pick<BackupRow, 'id' | 'attempts'>,
  change: Partial<typeof backups.$inferInsert>,
): Promise<boolean> {
  const changed = await db
    .update(backups)
    .set(change)
    .where(and(eq(backups.id, id), eq(backups.attempts, attempts), eq(backups.status, 'running')))
    .returning({ id: backups.id });
  return changed.length > 0;
}

export const listStalled = (db: Db, since: Date): Promise<BackupRow[]> =>
  db
    .select()
    .from(backups)
    .where(and(inArray(backups.status, ['waiting', 'running']), lt(backups.seenAt, since)));

/** Finished backups that have no copy yet, newest first; those before updates are not copied. */
export const listUncopied = (db: Db, failedBefore: Date): Promise<BackupRow[]> =>
  db
    .select()
    .from(backups)
    .where(
      and(
        eq(backups.status, 'done'),
        ne(backups.madeBy, 'update'),
        isNull(backups.copiedAt),
        or(isNull(backups.copyFailedAt), lt(backups.copyFailedAt, failedBefore)),
      ),
    )
    .orderBy(desc(backups.createdAt));

export async function updateCopy(
  db: Db,
  id: string,
  change: Pick<BackupRow, 'copiedAt' | 'copyFailedAt' | 'copyError'>,
): Promise<void> {
  await db.update(backups).set(change).where(eq(backups.id, id));
}

/** Records for the other machines that the files exist. */
export async function markFilesSeen(
  db: Db,
  names: string[],
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  await db
    .update(backups)
    .set({ seenAt: now })
    .where(and(inArray(backups.name, names), eq(backups.status, 'done'), lt(backups.seenAt, before)));
}

export async function listFileNames(db: Db): Promise<Set<string>> {
  const rows = await db.select({ name: backups.name }).from(backups);
  return new Set(rows.flatMap(({ name }) => name ?? []));
}

/** The start of the last scheduled backup, whether it succeeded or not. */
export async function findLastScheduled(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ createdAt: backups.createdAt })
    .from(backups)
    .where(eq(backups.madeBy, 'scheduled'))
    .orderBy(desc(backups.createdAt))
    .limit(1);
  return row?.createdAt ?? null;
}

export const listScheduled = (db: Db): Promise<BackupRow[]> =>
  db
    .select()
    .from(backups)
    .where(and(eq(backups.madeBy, 'scheduled'), inArray(backups.status, ['done', 'failed'])))
    .orderBy(desc(backups.createdAt));

/** Without those before updates, which contain no files. */
export async function findLastBytes(db: Db): Promise<number | null> {
  const [row] = await db
    .select({ bytes: backups.bytes })
    .from(backups)
    .where(and(eq(backups.status, 'done'), ne(backups.madeBy, 'update')))
    .orderBy(desc(backups.createdAt))
    .limit(1);
  return row?.bytes ?? null;
}

export const isAnyUnfinished = async (db: Db): Promise<boolean> =>
  (await db.$count(backups, inArray(backups.status, ['waiting', 'running']))) > 0;

/** Returns false while the backup is being written. */
export async function removeBackup(db: Db, id: string): Promise<boolean> {
  const removed = await db
    .delete(backups)
    .where(and(eq(backups.id, id), ne(backups.status, 'running')))
    .returning({ id: backups.id });
  return removed.length > 0;
}

export async function removeByNames(db: Db, names: string[]): Promise<void> {
  await db.delete(backups).where(inArray(backups.name, names));
}

const bytesRow = z.object({ bytes: z.int() });

export async function getDatabaseSize(db: Db): Promise<number> {
  const result = await db.execute(sql`select pg_database_size(current_database()) as bytes`);
  return parseRow(bytesRow, result).bytes;
}

export async function listSuperAdminIds(db: Db): Promise<string[]> {
  const rows = await db
    .select({ userId: accountRoles.userId })
    .from(accountRoles)
    .innerJoin(roles, eq(roles.id, accountRoles.roleId))
    .where(eq(roles.code, SUPER_ROLE));
  return rows.map(({ userId }) => userId);
}
