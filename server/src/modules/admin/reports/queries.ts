import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, ESSAY_STATUS, REPORT_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { listReports as call, ReportKind } from '@mozhan/contract/reports.ts';
import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { containsKeyword, MAX_COUNTED_ROWS, MAX_SCANNED_ROWS } from '../../../db/keyword.ts';
import { listPage } from '../../../db/list-page.ts';
import { literal } from '../../../db/literal.ts';
import { inOrderOf, sqlInt } from '../../../db/rows.ts';
import { createdWithin } from '../../../db/sort.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { type CommentRow, comments } from '../../content/comments/tables.ts';
import { type EssayRow, essays } from '../../content/essays/tables.ts';
import { chatMessages, conversations, type MessageRow } from '../../messaging/chats/tables.ts';
import { type ReportRow, reports } from './tables.ts';

/** Returns null if readers cannot see such a target. The owner of a guest's comment is null. */
export async function findOwner(
  db: Db,
  kind: Exclude<ReportKind, 'chat' | 'letter'>,
  id: string,
): Promise<{ userId: string | null } | null> {
  if (kind === 'user') {
    const [user] = await db.select({ userId: users.id }).from(users).where(eq(users.id, id));
    return user ?? null;
  }
  if (kind === 'essay') {
    const [essay] = await db
      .select({ userId: essays.authorId })
      .from(essays)
      .where(and(eq(essays.id, id), eq(essays.status, ESSAY_STATUS.onShelf)));
    return essay ?? null;
  }
  const [comment] = await db
    .select({ userId: comments.userId })
    .from(comments)
    .where(and(eq(comments.id, id), eq(comments.status, COMMENT_STATUS.visible)));
  return comment ?? null;
}

/** Does nothing if the user already has an open report of the same target. */
export async function insertReport(db: Db, report: typeof reports.$inferInsert): Promise<void> {
  await db.insert(reports).values(report).onConflictDoNothing();
}

export async function findReport(db: Db, id: string): Promise<ReportRow> {
  const [report] = await db.select().from(reports).where(eq(reports.id, id));
  if (report === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这条举报' });
  return report;
}

export const lockOpenReports = (db: Db, { kind, targetId }: ReportRow): Promise<ReportRow[]> =>
  db
    .select()
    .from(reports)
    .where(
      and(eq(reports.kind, kind), eq(reports.targetId, targetId), eq(reports.status, REPORT_STATUS.waiting)),
    )
    .orderBy(asc(reports.id))
    .for('update');

export async function updateReports(
  db: Db,
  ids: string[],
  handled: Pick<ReportRow, 'status' | 'result' | 'handledBy' | 'handledAt'>,
): Promise<void> {
  await db.update(reports).set(handled).where(inArray(reports.id, ids));
}

export async function removeReportsByUsers(db: Db, userIds: string[]): Promise<void> {
  await db.delete(reports).where(inArray(reports.userId, userIds));
}

const reporters = alias(users, 'reporters');
const handlers = alias(users, 'handlers');
const owners = alias(users, 'owners');
const roomEssays = alias(essays, 'room_essays');

const selectReports = (db: Db) =>
  db
    .select({
      report: reports,
      essay: { id: essays.id, slug: essays.slug, title: essays.title, status: essays.status },
      comment: {
        id: comments.id,
        essayId: comments.essayId,
        content: comments.content,
        guestName: comments.guestName,
        guestSite: comments.guestSite,
      },
      chat: {
        kind: chatMessages.kind,
        content: chatMessages.content,
        image: chatMessages.image,
        removedAt: chatMessages.removedAt,
      },
      room: { id: roomEssays.id, title: roomEssays.title },
      owner: owners,
      reporter: reporters,
      handler: handlers,
      others: sqlInt`(
        select count(*)::int from reports as other
        where other.kind = ${reports.kind} and other.target_id = ${reports.targetId} and other.status = ${literal(REPORT_STATUS.waiting)}
          and other.id <> ${reports.id})`,
    })
    .from(reports)
    .leftJoin(
      essays,
      and(eq(reports.kind, 'essay'), eq(essays.id, reports.targetId), isNull(essays.deletedAt)),
    )
    .leftJoin(
      comments,
      and(
        eq(reports.kind, 'comment'),
        eq(comments.id, reports.targetId),
        ne(comments.status, COMMENT_STATUS.deleted),
      ),
    )
    .leftJoin(
      // A recalled message has no content.
      chatMessages,
      and(eq(reports.kind, 'chat'), eq(chatMessages.id, reports.targetId), ne(chatMessages.content, '')),
    )
    .leftJoin(conversations, eq(conversations.id, chatMessages.conversationId))
    .leftJoin(roomEssays, eq(roomEssays.id, conversations.essayId))
    .leftJoin(owners, eq(owners.id, reports.ownerId))
    .leftJoin(reporters, eq(reporters.id, reports.userId))
    .leftJoin(handlers, eq(handlers.id, reports.handledBy));

export interface ReportWithTarget {
  report: ReportRow;
  essay: Pick<EssayRow, 'id' | 'slug' | 'title' | 'status'> | null;
  comment: Pick<CommentRow, 'id' | 'essayId' | 'content' | 'guestName' | 'guestSite'> | null;
  chat: Pick<MessageRow, 'kind' | 'content' | 'image' | 'removedAt'> | null;
  /** The essay of the room, for a room message. */
  room: Pick<EssayRow, 'id' | 'title'> | null;
  owner: User | null;
  reporter: User | null;
  handler: User | null;
  others: number;
}

export async function getReport(db: Db, id: string): Promise<ReportWithTarget> {
  const [row] = await selectReports(db).where(eq(reports.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND');
  return row;
}

/** Searches only the newest reports that match the other filters. */
const matchesKeyword = (keyword: string, filters: SQL | undefined): SQL => sql`${reports.id} in (
  select newest.id from (
    select ${reports.id}, ${reports.detail}, ${reports.result} from ${reports} where ${filters ?? true}
    order by ${reports.id} desc limit ${MAX_SCANNED_ROWS}
  ) as newest where ${containsKeyword(sql`newest.detail`, keyword)} or ${containsKeyword(sql`newest.result`, keyword)})`;

/** By default open reports are sorted oldest first, others newest first. */
export async function listReports(
  db: Db,
  query: z.output<typeof call.input>,
): Promise<Page<ReportWithTarget>> {
  const { status, kind, reason, userId, ownerId, keyword, sort, order } = query;
  const filters = and(
    status === undefined ? undefined : eq(reports.status, status),
    kind === undefined ? undefined : eq(reports.kind, kind),
    reason === undefined ? undefined : eq(reports.reason, reason),
    userId === undefined ? undefined : eq(reports.userId, userId),
    ownerId === undefined ? undefined : eq(reports.ownerId, ownerId),
    createdWithin(reports.id, query),
  );
  const match = and(filters, keyword ? matchesKeyword(keyword, filters) : undefined);
  // Joining all essays, comments and messages would read whole tables.
  const page = await listPage(db, query, {
    select: db.select({ id: reports.id }).from(reports),
    match,
    id: reports.id,
    isDescending: sort === undefined ? status !== REPORT_STATUS.waiting : order === SORT_ORDER.descending,
    key: ({ id }) => [id],
    maxCounted: MAX_COUNTED_ROWS,
  });
  const ids = page.list.map(({ id }) => id);
  const rows = await selectReports(db).where(inArray(reports.id, ids));
  return { ...page, list: inOrderOf(ids, rows, ({ report }) => report.id) };
}
