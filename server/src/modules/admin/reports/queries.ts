import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS, ESSAY_STATUS, REPORT_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { listReports as call, ReportKind } from '@mozhan/contract/reports.ts';
import { and, asc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { has, LOOKED_THROUGH, MOST_COUNTED } from '../../../db/keyword.ts';
import { listPage } from '../../../db/list-page.ts';
import { literal } from '../../../db/literal.ts';
import { sqlInt } from '../../../db/rows.ts';
import { madeWithin } from '../../../db/sort.ts';
import { type User, users } from '../../accounts/users/tables.ts';
import { comments } from '../../content/comments/tables.ts';
import { type EssayRow, essays } from '../../content/essays/tables.ts';
import { chatMessages, conversations, type MessageRow } from '../../messaging/chats/tables.ts';
import { type ReportRow, reports } from './tables.ts';

/** Of comments: for everyone, and with nothing left but its place. */

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
      .where(and(eq(essays.id, id), eq(essays.status, ESSAY_STATUS.onShelf)));
    return essay?.userId ?? null;
  }
  const [comment] = await db
    .select({ userId: comments.userId })
    .from(comments)
    .where(and(eq(comments.id, id), eq(comments.status, COMMENT_STATUS.shown)));
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
      // Of what its sender took back nothing is left.
      chatMessages,
      and(eq(reports.kind, 'chat'), eq(chatMessages.id, reports.targetId), ne(chatMessages.content, '')),
    )
    .leftJoin(conversations, eq(conversations.id, chatMessages.conversationId))
    .leftJoin(roomEssays, eq(roomEssays.id, conversations.essayId))
    .leftJoin(owners, eq(owners.id, reports.ownerId))
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

/** Looked for among the newest of the others' choice. */
const saying = (keyword: string, narrowed: SQL | undefined): SQL => sql`${reports.id} in (
  select newest.id from (
    select ${reports.id}, ${reports.detail}, ${reports.result} from ${reports} where ${narrowed ?? true}
    order by ${reports.id} desc limit ${LOOKED_THROUGH}
  ) as newest where ${has(sql`newest.detail`, keyword)} or ${has(sql`newest.result`, keyword)})`;

/** Unless it is said otherwise, the open ones first come first served, others the newest first. */
export function listReports(db: Db, query: z.output<typeof call.input>): Promise<Page<FullReport>> {
  const { status, kind, reason, userId, ownerId, keyword, sort, order } = query;
  const narrowed = and(
    status === undefined ? undefined : eq(reports.status, status),
    kind === undefined ? undefined : eq(reports.kind, kind),
    reason === undefined ? undefined : eq(reports.reason, reason),
    userId === undefined ? undefined : eq(reports.userId, userId),
    ownerId === undefined ? undefined : eq(reports.ownerId, ownerId),
    madeWithin(reports.id, query),
  );
  const match = and(narrowed, keyword ? saying(keyword, narrowed) : undefined);
  return listPage(db, query, {
    select: selectReports(db),
    match,
    id: reports.id,
    isDescending: sort === undefined ? status !== REPORT_STATUS.waiting : order === SORT_ORDER.descending,
    key: ({ report }) => [report.id],
    maxCounted: MOST_COUNTED,
  });
}
