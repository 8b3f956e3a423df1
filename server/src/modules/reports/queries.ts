import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Page } from '#contract/common.ts';
import { CallError } from '#contract/errors.ts';
import type { ReportKind, ReportStatus } from '#contract/reports.ts';
import type { Db } from '../../db/client.ts';
import { type PageQuery, readPage } from '../../db/page.ts';
import { chatMessages, conversations, type MessageRow } from '../chats/tables.ts';
import { comments } from '../comments/tables.ts';
import { ON_SHELF } from '../essays/index.ts';
import { type EssayRow, essays } from '../essays/tables.ts';
import { type User, users } from '../users/tables.ts';
import { type ReportRow, reports } from './tables.ts';

/** Of comments: for everyone, and with nothing left but its place. */
const SHOWN = 0;
const DELETED = 3;

/** Whose it is; null: there is no such thing that a reader can see. */
export async function findOwner(
  db: Db,
  kind: Exclude<ReportKind, 'chat'>,
  id: string,
): Promise<string | null> {
  if (kind === 'user') {
    const [user] = await db.select({ userId: users.id }).from(users).where(eq(users.id, id));
    return user?.userId ?? null;
  }
  if (kind === 'essay') {
    const [essay] = await db
      .select({ userId: essays.authorId })
      .from(essays)
      .where(and(eq(essays.id, id), eq(essays.status, ON_SHELF)));
    return essay?.userId ?? null;
  }
  const [comment] = await db
    .select({ userId: comments.userId })
    .from(comments)
    .where(and(eq(comments.id, id), eq(comments.status, SHOWN)));
  return comment?.userId ?? null;
}

/** Nothing happens when the same person's report of the same thing is open. */
export async function insertReport(db: Db, report: typeof reports.$inferInsert): Promise<void> {
  await db.insert(reports).values(report).onConflictDoNothing();
}

export async function findReport(db: Db, id: string): Promise<ReportRow> {
  const [report] = await db.select().from(reports).where(eq(reports.id, id));
  if (report === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这条举报' });
  return report;
}

/** All open ones of a thing; nobody else handles them until the transaction ends. */
export const lockOpen = (db: Db, { kind, targetId }: ReportRow): Promise<ReportRow[]> =>
  db
    .select()
    .from(reports)
    .where(and(eq(reports.kind, kind), eq(reports.targetId, targetId), eq(reports.status, 0)))
    .orderBy(asc(reports.id))
    .for('update');

export async function updateReports(
  db: Db,
  ids: string[],
  handled: Pick<ReportRow, 'status' | 'result' | 'handledBy' | 'handledAt'>,
): Promise<void> {
  await db.update(reports).set(handled).where(inArray(reports.id, ids));
}

export async function removeReportsOf(db: Db, userIds: string[]): Promise<void> {
  await db.delete(reports).where(inArray(reports.userId, userIds));
}

const reporters = alias(users, 'reporters');
const handlers = alias(users, 'handlers');
const owners = alias(users, 'owners');
const roomEssays = alias(essays, 'room_essays');

/** What was reported, of whichever kind, beside each report. */
const selectReports = (db: Db) =>
  db
    .select({
      report: reports,
      essay: { id: essays.id, title: essays.title, status: essays.status },
      comment: { id: comments.id, essayId: comments.essayId, content: comments.content },
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
      others: sql<number>`(
        select count(*)::int from reports as other
        where other.kind = ${reports.kind} and other.target_id = ${reports.targetId} and other.status = 0
          and other.id <> ${reports.id})`,
    })
    .from(reports)
    .leftJoin(
      essays,
      and(eq(reports.kind, 'essay'), eq(essays.id, reports.targetId), isNull(essays.deletedAt)),
    )
    .leftJoin(
      comments,
      and(eq(reports.kind, 'comment'), eq(comments.id, reports.targetId), ne(comments.status, DELETED)),
    )
    .leftJoin(
      // Of what its sender took back nothing is left.
      chatMessages,
      and(eq(reports.kind, 'chat'), eq(chatMessages.id, reports.targetId), ne(chatMessages.content, '')),
    )
    .leftJoin(conversations, eq(conversations.id, chatMessages.conversationId))
    .leftJoin(roomEssays, eq(roomEssays.id, conversations.essayId))
    .leftJoin(
      owners,
      eq(
        owners.id,
        sql`case ${reports.kind} when 'user' then ${reports.targetId} when 'essay' then ${essays.authorId}
          when 'comment' then ${comments.userId} when 'chat' then ${chatMessages.fromId} end`,
      ),
    )
    .leftJoin(reporters, eq(reporters.id, reports.userId))
    .leftJoin(handlers, eq(handlers.id, reports.handledBy));

export interface FullReport {
  report: ReportRow;
  essay: Pick<EssayRow, 'id' | 'title' | 'status'> | null;
  comment: { id: string; essayId: string; content: string } | null;
  chat: Pick<MessageRow, 'kind' | 'content' | 'image' | 'removedAt'> | null;
  /** Of a message in a room, the essay. */
  room: Pick<EssayRow, 'id' | 'title'> | null;
  owner: User | null;
  reporter: User | null;
  handler: User | null;
  others: number;
}

export async function getReport(db: Db, id: string): Promise<FullReport> {
  const [row] = await selectReports(db).where(eq(reports.id, id));
  if (row === undefined) throw new CallError('NOT_FOUND');
  return row;
}

/** The open ones first come first served, others the newest first. */
export function listReports(
  db: Db,
  query: PageQuery & { status?: ReportStatus | undefined; kind?: ReportKind | undefined },
): Promise<Page<FullReport>> {
  const match = and(
    query.status === undefined ? undefined : eq(reports.status, query.status),
    query.kind === undefined ? undefined : eq(reports.kind, query.kind),
  );
  const [order, behind] = query.status === 0 ? [asc(reports.id), gt] : [desc(reports.id), lt];
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      selectReports(db)
        .where(and(match, after === null ? undefined : behind(reports.id, after.at(-1) ?? '')))
        .orderBy(order)
        .offset(offset)
        .limit(limit),
    total: () => db.$count(reports, match),
    key: (row) => [row.report.id],
  });
}
