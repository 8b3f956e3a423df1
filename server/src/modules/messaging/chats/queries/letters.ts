import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, between, eq, gt, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../../db/client.ts';
import { listPage } from '../../../../db/list-page.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { essays } from '../../../content/essays/tables.ts';
import {
  type LetterRow,
  letterPlaces,
  letters,
  letterThreads,
  type ThreadMemberRow,
  type ThreadRow,
} from '../tables.ts';

const threadNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这份往来' });

export interface ThreadForUser {
  thread: ThreadRow;
  member: ThreadMemberRow;
  last: LetterRow;
  other: User;
  /** Null when the thread has none, or it is not on the shelf. */
  essay: { id: string; title: string } | null;
}

const selectThreads = (db: Db, userId: string) =>
  db
    .select({
      thread: letterThreads,
      member: letterPlaces,
      last: letters,
      other: users,
      essay: { id: essays.id, title: essays.title },
    })
    .from(letterPlaces)
    .innerJoin(letterThreads, eq(letterThreads.id, letterPlaces.threadId))
    .innerJoin(letters, eq(letters.id, letterPlaces.lastId))
    .innerJoin(
      users,
      sql`${users.id} = case when ${letterThreads.userA} = ${userId} then ${letterThreads.userB} else ${letterThreads.userA} end`,
    )
    .leftJoin(essays, and(eq(essays.id, letterThreads.essayId), eq(essays.status, ESSAY_STATUS.onShelf)))
    .$dynamic();

export async function getThread(db: Db, userId: string, threadId: string): Promise<ThreadForUser> {
  const [row] = await selectThreads(db, userId).where(
    and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)),
  );
  if (row === undefined) throw threadNotFound();
  return row;
}

/** A keyword search scans only this many of the user's newest threads. */
const MAX_SEARCHED_THREADS = 2000;

/** Matches the other participant's name, the subject, or a letter that the user has not deleted. */
function matchesKeyword(userId: string, keyword: string) {
  const has = (text: SQL | PgColumn) => sql`strpos(lower(${text}), lower(${keyword})) > 0`;
  return sql`${letterPlaces.lastId} >= coalesce((
      select last_id from letter_places where user_id = ${userId} and last_id is not null
      order by last_id desc offset ${MAX_SEARCHED_THREADS - 1} limit 1
    ), '00000000000000000000000000000000'::uuid)
    and (${has(users.displayName)} or ${has(letterThreads.subject)} or exists (
      select 1 from letters as letter
      where letter.thread_id = ${letterPlaces.threadId} and letter.seq > ${letterPlaces.hiddenSeq}
        and ${has(sql`letter.plain`)}))`;
}

export function listThreads(
  db: Db,
  query: PageQuery & { userId: string; keyword?: string | undefined },
): Promise<Page<ThreadForUser>> {
  const isListed = and(eq(letterPlaces.userId, query.userId), isNotNull(letterPlaces.lastId));
  const match = and(isListed, query.keyword ? matchesKeyword(query.userId, query.keyword) : undefined);
  return listPage(db, query, {
    select: selectThreads(db, query.userId),
    match,
    id: letterPlaces.lastId,
    total: async () =>
      query.keyword
        ? db.$count(selectThreads(db, query.userId).where(match).as('found'))
        : db.$count(letterPlaces, isListed),
    key: ({ last }) => [last.id],
  });
}

/** Lists the letters that the user has not deleted, oldest first. */
export function listLetters(db: Db, query: PageQuery & { of: ThreadForUser }): Promise<Page<LetterRow>> {
  const { member, last } = query.of;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(letters)
        .where(
          and(
            eq(letters.threadId, member.threadId),
            gt(letters.seq, member.hiddenSeq),
            after === null ? undefined : gt(letters.seq, Number(after[0])),
          ),
        )
        .orderBy(asc(letters.seq))
        .offset(offset)
        .limit(limit),
    total: async () => last.seq - member.hiddenSeq,
    key: ({ seq, id }) => [String(seq), id],
    parts: ['int'],
  });
}

export async function getReadSeq(db: Db, threadId: string, userId: string): Promise<number> {
  const [row] = await db
    .select({ seq: letterPlaces.readSeq })
    .from(letterPlaces)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)));
  return row?.seq ?? 0;
}

/** Throws when the user cannot see the letter. */
export async function getThreadOfLetter(db: Db, userId: string, letterId: string): Promise<ThreadForUser> {
  const [letter] = await db.select().from(letters).where(eq(letters.id, letterId));
  const noLetter = new CallError('NOT_FOUND', { message: '没有找到要回复的信' });
  if (letter === undefined) throw noLetter;
  const [thread] = await selectThreads(db, userId).where(
    and(
      eq(letterPlaces.threadId, letter.threadId),
      eq(letterPlaces.userId, userId),
      lt(letterPlaces.hiddenSeq, letter.seq),
    ),
  );
  if (thread === undefined) throw noLetter;
  return thread;
}

/** Returns null unless the user takes part in the thread and has not deleted the letter. */
export async function findVisibleLetter(
  db: Db,
  userId: string,
  id: string,
): Promise<{ letter: LetterRow; subject: string; hiddenSeq: number } | null> {
  const [row] = await db
    .select({ letter: letters, subject: letterThreads.subject, hiddenSeq: letterPlaces.hiddenSeq })
    .from(letters)
    .innerJoin(letterThreads, eq(letterThreads.id, letters.threadId))
    .innerJoin(
      letterPlaces,
      and(
        eq(letterPlaces.threadId, letters.threadId),
        eq(letterPlaces.userId, userId),
        lt(letterPlaces.hiddenSeq, letters.seq),
      ),
    )
    .where(eq(letters.id, id));
  return row ?? null;
}

export const listLettersBetween = (
  db: Db,
  threadId: string,
  { from, to }: { from: number; to: number },
): Promise<LetterRow[]> =>
  db
    .select()
    .from(letters)
    .where(and(eq(letters.threadId, threadId), between(letters.seq, from, to)))
    .orderBy(asc(letters.seq));

export async function insertThread(db: Db, thread: ThreadRow): Promise<void> {
  await db.insert(letterThreads).values(thread);
  await db
    .insert(letterPlaces)
    .values([thread.userA, thread.userB].map((userId) => ({ threadId: thread.id, userId })));
}

/** Adds the next letter of a thread; the caller must hold the lock on the pair's `contacts` row, which orders the numbers. */
export async function insertLetter(db: Db, letter: Omit<LetterRow, 'seq'>): Promise<LetterRow> {
  const [row] = await db
    .insert(letters)
    .values({
      ...letter,
      seq: sql`(select coalesce(max(seq), 0) + 1 from letters where thread_id = ${letter.threadId})`,
    })
    .returning();
  if (row === undefined) throw threadNotFound();
  const isOwn = sql`${letterPlaces.userId} = ${letter.fromId}`;
  await db
    .update(letterPlaces)
    .set({
      lastId: row.id,
      // A reply marks the thread as read for its sender.
      readSeq: sql`case when ${isOwn} then ${row.seq}::int else ${letterPlaces.readSeq} end`,
      unread: sql`case when ${isOwn} then 0 else ${letterPlaces.unread} + 1 end`,
    })
    .where(eq(letterPlaces.threadId, letter.threadId));
  return row;
}

/** Locks the user's row of the thread, so that a concurrent letter is inserted either before or after. */
export async function lockThread(db: Db, userId: string, threadId: string): Promise<ThreadForUser> {
  await db
    .select({ userId: letterPlaces.userId })
    .from(letterPlaces)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)))
    .for('update');
  return getThread(db, userId, threadId);
}

export async function updateThreadMember(
  db: Db,
  { threadId, userId }: ThreadMemberRow,
  fields: Partial<Omit<ThreadMemberRow, 'threadId' | 'userId'>>,
): Promise<void> {
  await db
    .update(letterPlaces)
    .set(fields)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)));
}

/** Deletes all threads of these users and returns the other participants whose unread count changes. */
export async function deleteThreadsOfUsers(db: Db, userIds: string[]): Promise<string[]> {
  const isOfUsers = or(inArray(letterThreads.userA, userIds), inArray(letterThreads.userB, userIds));
  const rows = await db
    .select({ userId: letterPlaces.userId })
    .from(letterThreads)
    .innerJoin(letterPlaces, eq(letterPlaces.threadId, letterThreads.id))
    .where(and(isOfUsers, gt(letterPlaces.unread, 0)));
  await db.delete(letterThreads).where(isOfUsers);
  return [...new Set(rows.map(({ userId }) => userId))].filter((id) => !userIds.includes(id));
}
