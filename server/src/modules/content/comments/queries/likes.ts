import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { commentLikes, comments } from '../tables.ts';

/** Returns false if the like existed. */
export async function insertLike(
  db: Db,
  like: { commentId: string; userId: string; createdAt: Date },
): Promise<boolean> {
  const rows = await db
    .insert(commentLikes)
    .values(like)
    .onConflictDoNothing()
    .returning({ id: commentLikes.commentId });
  return rows.length > 0;
}

/** Returns false if there was no like. */
export async function removeLike(db: Db, commentId: string, userId: string): Promise<boolean> {
  const rows = await db
    .delete(commentLikes)
    .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.userId, userId)))
    .returning({ id: commentLikes.commentId });
  return rows.length > 0;
}

export async function addLikes(db: Db, commentId: string, by: 1 | -1): Promise<void> {
  await db
    .update(comments)
    .set({ likeCount: sql`${comments.likeCount} + ${by}` })
    .where(eq(comments.id, commentId));
}

export async function removeLikesOf(db: Db, commentId: string): Promise<void> {
  await db.delete(commentLikes).where(eq(commentLikes.commentId, commentId));
}

export async function listLikedIds(db: Db, userId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: commentLikes.commentId })
    .from(commentLikes)
    .where(and(eq(commentLikes.userId, userId), inArray(commentLikes.commentId, ids)));
  return new Set(rows.map((row) => row.id));
}
