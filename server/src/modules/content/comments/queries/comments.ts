import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { blocks, users } from '../../../accounts/users/tables.ts';
import { type EssayRow, essays } from '../../essays/tables.ts';
import { type CommentRow, commentCounts, comments } from '../tables.ts';

export const noComment = () => new CallError('NOT_FOUND', { message: '没有找到这条评论，它可能已被删除' });
const gone = () => new CallError('GONE', { message: '这条评论已被删除' });

export async function findComment(db: Db, id: string): Promise<CommentRow | null> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id));
  return row ?? null;
}

export async function getComment(db: Db, id: string): Promise<CommentRow> {
  const row = await findComment(db, id);
  if (row === null) throw noComment();
  return row;
}

/** Everything that is said about an essay, or taken back, waits here for the one before. */
export async function lockEssay(db: Db, id: string): Promise<EssayRow> {
  const [essay] = await db.select().from(essays).where(eq(essays.id, id)).for('no key update');
  if (essay === undefined) throw noComment();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  return essay;
}

/** Behind the lock of its essay: nobody else changes it, but its likes. */
export async function lockComment(db: Db, id: string): Promise<CommentRow> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id)).for('no key update');
  if (row === undefined) throw noComment();
  return row;
}

/** Whose text is for everyone. */
export function shown(comment: CommentRow): CommentRow {
  if (comment.status !== COMMENT_STATUS.shown) throw gone();
  return comment;
}

export async function insertComment(db: Db, comment: typeof comments.$inferInsert): Promise<void> {
  await db.insert(comments).values(comment);
}

/** A statement has 65 535 parameters at the most. */
const AT_ONCE = 1000;

export async function insertComments(db: Db, rows: (typeof comments.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await db.insert(comments).values(rows.slice(from, from + AT_ONCE));
}

export async function updateComment(
  db: Db,
  id: string,
  fields: Partial<typeof comments.$inferInsert>,
): Promise<void> {
  await db.update(comments).set(fields).where(eq(comments.id, id));
}

/** What somebody said that is there, or waits for staff. */
export const listIdsOf = async (db: Db, userId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(eq(comments.userId, userId), inArray(comments.status, [COMMENT_STATUS.shown, COMMENT_STATUS.held])),
    )
    .limit(limit);
  return rows.map((row) => row.id);
};

/** What staff took away of somebody, and could still read. */
export async function blankRemoved(db: Db, userId: string): Promise<void> {
  await db
    .update(comments)
    .set({ content: '', masked: null, html: '', words: [], mentions: [], region: '' })
    .where(and(eq(comments.userId, userId), eq(comments.status, COMMENT_STATUS.removed)));
}

/** With its replies and likes. */
export async function removeComment(db: Db, id: string): Promise<void> {
  await db.delete(comments).where(eq(comments.id, id));
}

/** Any at all, whoever may see them. */
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

/** How many more comments the essay's list has now. */
export async function addToList(db: Db, essayId: string, by: number): Promise<void> {
  if (by === 0) return;
  await db
    .insert(commentCounts)
    .values({ essayId, count: by })
    .onConflictDoUpdate({
      target: commentCounts.essayId,
      set: { count: sql`${commentCounts.count} + excluded.count` },
    });
}

/** How much fewer the lists of these essays have. */
export async function takeFromLists(db: Db, lost: { essayId: string; listed: number }[]): Promise<void> {
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
      sql`${comments.rootId} is null and (${comments.status} = ${literal(COMMENT_STATUS.shown)} or ${comments.replyCount} > 0)`,
      eq(comments.pinned, true),
    ),
  );

/** Whether somebody said anything else there: comments, or replies. */
export async function hasOther(db: Db, comment: CommentRow): Promise<boolean> {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(
        eq(comments.userId, comment.userId),
        eq(comments.essayId, comment.essayId),
        ne(comments.id, comment.id),
        eq(comments.status, COMMENT_STATUS.shown),
        comment.rootId === null ? sql`${comments.rootId} is null` : sql`${comments.rootId} is not null`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Those of these people who may be named by the user: whoever has blocked them is not. */
export async function listNameable(
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
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
