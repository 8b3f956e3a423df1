import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { inOrderOf } from '../../../../db/rows.ts';
import { blocks, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essays } from '../../essays/tables.ts';
import { type CommentRow, commentCounts, comments } from '../tables.ts';

export const commentNotFound = () =>
  new CallError('NOT_FOUND', { message: '没有找到这条评论，它可能已被删除' });
const gone = () => new CallError('GONE', { message: '这条评论已被删除' });

export async function findComment(db: Db, id: string): Promise<CommentRow | null> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id));
  return row ?? null;
}

export async function getComment(db: Db, id: string): Promise<CommentRow> {
  const row = await findComment(db, id);
  if (row === null) throw commentNotFound();
  return row;
}

/** Serializes all changes of comments of one essay. */
export async function lockEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('no key update');
  if (essay === undefined) throw commentNotFound();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  return essay;
}

/** The essay is locked before, so this lock only waits for likes. */
export async function lockComment(db: Db, id: string): Promise<CommentRow> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id)).for('no key update');
  if (row === undefined) throw commentNotFound();
  return row;
}

/** Throws `GONE` unless everyone may see the comment. */
export function requireVisible(comment: CommentRow): CommentRow {
  if (comment.status !== COMMENT_STATUS.visible) throw gone();
  return comment;
}

export async function insertComment(db: Db, comment: typeof comments.$inferInsert): Promise<void> {
  await db.insert(comments).values(comment);
}

/** Building a larger statement would block the process. */
const BATCH_SIZE = 100;

export async function insertComments(db: Db, rows: (typeof comments.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE)
    await db.insert(comments).values(rows.slice(from, from + BATCH_SIZE));
}

export async function updateComment(
  db: Db,
  id: string,
  fields: Partial<typeof comments.$inferInsert>,
): Promise<void> {
  await db.update(comments).set(fields).where(eq(comments.id, id));
}

export const listVisibleOrHeldIds = async (db: Db, userId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(
        eq(comments.userId, userId),
        inArray(comments.status, [COMMENT_STATUS.visible, COMMENT_STATUS.held]),
      ),
    )
    .limit(limit);
  return rows.map((row) => row.id);
};

/** Clears comments that staff removed but could still read. */
export async function clearRemovedText(db: Db, userId: string): Promise<void> {
  await db
    .update(comments)
    .set({ content: '', masked: null, html: '', words: [], mentions: [], region: '' })
    .where(and(eq(comments.userId, userId), eq(comments.status, COMMENT_STATUS.removed)));
}

/** Replies and likes are deleted by cascade. */
export async function removeComment(db: Db, id: string): Promise<void> {
  await db.delete(comments).where(eq(comments.id, id));
}

/** Includes replies of any status. */
export async function hasReplies(db: Db, rootId: string): Promise<boolean> {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(eq(comments.rootId, rootId))
    .limit(1);
  return rows.length > 0;
}

export async function addReplies(db: Db, rootId: string, by: number): Promise<void> {
  await db
    .update(comments)
    .set({ replyCount: sql`${comments.replyCount} + ${by}` })
    .where(eq(comments.id, rootId));
}

/** Changes the number of comments in the essay's list. */
export async function addToCommentCount(db: Db, essayId: string, by: number): Promise<void> {
  if (by === 0) return;
  await db
    .insert(commentCounts)
    .values({ essayId, count: by })
    .onConflictDoUpdate({
      target: commentCounts.essayId,
      set: { count: sql`${commentCounts.count} + excluded.count` },
    });
}

export async function subtractFromCommentCounts(
  db: Db,
  lost: { essayId: string; listed: number }[],
): Promise<void> {
  if (lost.length === 0) return;
  await db.execute(sql`
    update comment_counts set count = count - lost.listed
    from unnest(
      ${sql.param(lost.map((each) => each.essayId))}::uuid[],
      ${sql.param(lost.map((each) => each.listed))}::int[]
    ) as lost (essay_id, listed)
    where comment_counts.essay_id = lost.essay_id`);
}

export const countPinned = (db: Db, essayId: string): Promise<number> =>
  db.$count(
    comments,
    and(
      eq(comments.essayId, essayId),
      sql`${comments.rootId} is null and (${comments.status} = ${literal(COMMENT_STATUS.visible)} or ${comments.replyCount} > 0)`,
      eq(comments.pinned, true),
    ),
  );

/** Whether the user has another visible comment there, or another reply if this is a reply. */
export async function hasOtherVisible(db: Db, comment: CommentRow & { userId: string }): Promise<boolean> {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(
        eq(comments.userId, comment.userId),
        eq(comments.essayId, comment.essayId),
        ne(comments.id, comment.id),
        eq(comments.status, COMMENT_STATUS.visible),
        comment.rootId === null ? sql`${comments.rootId} is null` : sql`${comments.rootId} is not null`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether at least `min` comments of the user, besides the excepted one, are visible. */
export async function hasVisible(db: Db, userId: string, min: number, exceptId?: string): Promise<boolean> {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(
        eq(comments.userId, userId),
        eq(comments.status, COMMENT_STATUS.visible),
        exceptId === undefined ? undefined : ne(comments.id, exceptId),
      ),
    )
    .limit(min);
  return rows.length >= min;
}

/** Omits users who have blocked the writer. */
export async function listMentionable(
  db: Db,
  ids: string[],
  by: string,
): Promise<{ id: string; displayName: string }[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: users.id, displayName: users.displayName })
    .from(users)
    .where(
      and(
        inArray(users.id, ids),
        sql`not exists (select 1 from ${blocks} where ${blocks.userId} = ${users.id} and ${blocks.blockedId} = ${by})`,
      ),
    );
  return inOrderOf(ids, rows, ({ id }) => id);
}
