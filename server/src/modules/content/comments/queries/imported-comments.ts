import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRows } from '../../../../db/rows.ts';
import { type CommentRow, commentCounts, comments, importedComments } from '../tables.ts';

/** Building a larger statement would block the process. */
const BATCH_SIZE = 200;

const ofSource = (essayId: string, source: string) =>
  and(eq(importedComments.essayId, essayId), eq(importedComments.source, source));

/** Maps the ids of the source to comments; null for those that were deleted here. */
export async function listImported(
  db: Db,
  essayId: string,
  source: string,
): Promise<Map<string, string | null>> {
  const rows = await db
    .select({ foreignId: importedComments.foreignId, commentId: importedComments.commentId })
    .from(importedComments)
    .where(ofSource(essayId, source));
  return new Map(rows.map(({ foreignId, commentId }) => [foreignId, commentId]));
}

/** The part of an imported comment that its new replies need. */
export type ImportedRow = Pick<CommentRow, 'id' | 'rootId' | 'userId' | 'status' | 'replyCount'>;

export async function listImportedRows(
  db: Db,
  essayId: string,
  source: string,
): Promise<Map<string, ImportedRow>> {
  const { id, rootId, userId, status, replyCount } = getTableColumns(comments);
  const rows = await db
    .select({
      foreignId: importedComments.foreignId,
      comment: { id, rootId, userId, status, replyCount },
    })
    .from(importedComments)
    .innerJoin(comments, eq(comments.id, importedComments.commentId))
    .where(ofSource(essayId, source));
  return new Map(rows.map(({ foreignId, comment }) => [foreignId, comment]));
}

export async function insertImported(db: Db, rows: (typeof importedComments.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_SIZE)
    await db.insert(importedComments).values(rows.slice(from, from + BATCH_SIZE));
}

export async function addReplyCounts(db: Db, changes: { id: string; count: number }[]): Promise<void> {
  if (changes.length === 0) return;
  await db.execute(sql`
    update comments set reply_count = reply_count + change.count
    from unnest(
      ${sql.param(changes.map(({ id }) => id))}::uuid[], ${sql.param(changes.map(({ count }) => count))}::int[]
    ) as change (id, count)
    where comments.id = change.id`);
}

const VISIBLE = literal(COMMENT_STATUS.visible);

const removedRow = z.object({ id: z.string(), status: z.int() });
const keptRow = z.object({ id: z.string() });

/** A comment that somebody else replied to, itself or as the one named by the reply, is not removed. */
const REPLIED = sql`exists (
  select 1 from comments as reply
  where (reply.root_id = comments.id or reply.reply_to_guest_id = comments.id)
    and not exists (
      select 1 from imported_comments as own
      where own.comment_id = reply.id and own.transfer_id = imported.transfer_id))`;

/**
 * Deletes the comments of a transfer at one essay, which must be locked. Returns how many visible ones were deleted,
 * and the ids of those that stay because of later replies.
 */
export async function removeImported(
  db: Db,
  transferId: string,
  essayId: string,
): Promise<{ removed: number; visible: number; keptIds: string[] }> {
  const own = sql`imported.transfer_id = ${transferId} and imported.essay_id = ${essayId}`;
  const kept = await db.execute(sql`
    select comments.id from imported_comments as imported
    join comments on comments.id = imported.comment_id
    where ${own} and ${REPLIED} order by comments.id`);
  const keptIds = parseRows(keptRow, kept).map(({ id }) => id);
  const doomed = await db.execute(sql`
    delete from imported_comments as imported
    where ${own} and (comment_id is null or comment_id <> all(${sql.param(keptIds)}::uuid[]))
    returning comment_id as id`);
  const ids = parseRows(z.object({ id: z.string().nullable() }), doomed).flatMap(({ id }) => id ?? []);
  const deleted = await db.execute(sql`
    delete from comments where id = any(${sql.param(ids)}::uuid[]) returning id, status`);
  const rows = parseRows(removedRow, deleted);
  return {
    removed: rows.length,
    visible: rows.filter(({ status }) => status === COMMENT_STATUS.visible).length,
    keptIds,
  };
}

/** Counts replies and listed comments of an essay anew, and deletes tombstones that lost their last reply. */
export async function recountComments(db: Db, essayId: string): Promise<void> {
  await db.execute(sql`
    update comments as root set reply_count = counted.count
    from (
      select each.id, count(reply.id)::int as count from comments as each
      left join comments as reply on reply.root_id = each.id and reply.status = ${VISIBLE}
      where each.essay_id = ${essayId} and each.root_id is null group by each.id
    ) as counted
    where root.id = counted.id and root.reply_count <> counted.count`);
  await db.execute(sql`
    delete from comments as root
    where essay_id = ${essayId} and root_id is null and status = ${literal(COMMENT_STATUS.deleted)}
      and not exists (select 1 from comments where root_id = root.id)`);
  const count = await db.$count(
    comments,
    and(
      eq(comments.essayId, essayId),
      sql`${comments.rootId} is null and (${comments.status} = ${VISIBLE} or ${comments.replyCount} > 0)`,
    ),
  );
  await db
    .insert(commentCounts)
    .values({ essayId, count })
    .onConflictDoUpdate({ target: commentCounts.essayId, set: { count } });
}
