import { and, eq, inArray, notInArray, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/client.ts';
import { uploads } from './tables.ts';

export async function insertUpload(db: Db, upload: typeof uploads.$inferInsert): Promise<void> {
  await db.insert(uploads).values(upload);
}

export async function hasUpload(db: Db, userId: string, path: string): Promise<boolean> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.path, path), eq(uploads.userId, userId)))
    .limit(1);
  return rows.length > 0;
}

/** The files of these people's uploads that nobody else has uploaded too. */
export async function listOwnFiles(db: Db, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const paths = (where: SQL | undefined) =>
    db
      .select({ path: uploads.path })
      .from(uploads)
      .where(where)
      .union(db.select({ path: uploads.thumbPath }).from(uploads).where(where));
  const rows = await paths(inArray(uploads.userId, userIds)).except(
    paths(notInArray(uploads.userId, userIds)),
  );
  return rows.map((row) => row.path);
}
