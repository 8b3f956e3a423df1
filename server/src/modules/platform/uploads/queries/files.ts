import { and, eq, inArray, isNotNull, notInArray, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { sqlText } from '../../../../db/rows.ts';
import { type AttachmentRow, attachments, uploads } from '../tables.ts';

export async function insertUpload(db: Db, upload: typeof uploads.$inferInsert): Promise<void> {
  await db.insert(uploads).values(upload);
}

/** `owner` is a user, several users, or null for any user. */
export async function hasUpload(db: Db, owner: string | string[] | null, path: string): Promise<boolean> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.path, path), owner === null ? undefined : inArray(uploads.userId, [owner].flat())))
    .limit(1);
  return rows.length > 0;
}

export async function insertAttachment(db: Db, attachment: AttachmentRow): Promise<void> {
  await db.insert(attachments).values(attachment);
}

/** Returns the existing ones, in no particular order. */
export async function listAttachments(db: Db, ids: string[]): Promise<AttachmentRow[]> {
  return ids.length === 0 ? [] : db.select().from(attachments).where(inArray(attachments.id, ids));
}

export async function listExclusiveFiles(db: Db, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const theirs = (column: PgColumn) => inArray(column, userIds);
  const others = (column: PgColumn) => notInArray(column, userIds);
  const paths = (of: (userId: PgColumn) => SQL) =>
    db
      .select({ path: uploads.path })
      .from(uploads)
      .where(of(uploads.userId))
      .union(db.select({ path: uploads.thumbPath }).from(uploads).where(of(uploads.userId)))
      .union(
        db
          .select({ path: sqlText`${uploads.middlePath}` })
          .from(uploads)
          .where(and(of(uploads.userId), isNotNull(uploads.middlePath))),
      )
      .union(db.select({ path: attachments.path }).from(attachments).where(of(attachments.userId)));
  const rows = await paths(theirs).except(paths(others));
  return rows.map((row) => row.path);
}
