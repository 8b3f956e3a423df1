import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, gt, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
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
  type PlaceRow,
  type ThreadRow,
} from '../tables.ts';

const noThread = () => new CallError('NOT_FOUND', { message: '没有找到这份往来' });

/** A thread as one of the two sees it. */
export interface SeenThread {
  thread: ThreadRow;
  place: PlaceRow;
  last: LetterRow;
  other: User;
  /** While it is on the shelf. */
  essay: { id: string; title: string } | null;
}

/** Those that somebody has not deleted. */
const selectThreads = (db: Db, userId: string) =>
  db
    .select({
      thread: letterThreads,
      place: letterPlaces,
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

export async function getThread(db: Db, userId: string, threadId: string): Promise<SeenThread> {
  const [row] = await selectThreads(db, userId).where(
    and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)),
  );
  if (row === undefined) throw noThread();
  return row;
}

/** As many of somebody's newest threads are looked through for words. */
const LOOKED_THROUGH = 2000;

/** In the name of the other, the subject, or a letter that was not deleted. */
function hasText(userId: string, keyword: string) {
  const has = (text: SQL | PgColumn) => sql`strpos(lower(${text}), lower(${keyword})) > 0`;
  return sql`${letterPlaces.lastId} >= coalesce((
      select last_id from letter_places where user_id = ${userId} and last_id is not null
      order by last_id desc offset ${LOOKED_THROUGH - 1} limit 1
    ), '00000000000000000000000000000000'::uuid)
    and (${has(users.displayName)} or ${has(letterThreads.subject)} or exists (
      select 1 from letters as said
      where said.thread_id = ${letterPlaces.threadId} and said.seq > ${letterPlaces.hiddenSeq}
        and ${has(sql`said.plain`)}))`;
}

/** Somebody's, by the newest letter. */
export function listThreads(
  db: Db,
  query: PageQuery & { userId: string; keyword?: string | undefined },
): Promise<Page<SeenThread>> {
  const mine = and(eq(letterPlaces.userId, query.userId), isNotNull(letterPlaces.lastId));
  const match = and(mine, query.keyword ? hasText(query.userId, query.keyword) : undefined);
  return listPage(db, query, {
    select: selectThreads(db, query.userId),
    match,
    id: letterPlaces.lastId,
    total: async () =>
      query.keyword
        ? db.$count(selectThreads(db, query.userId).where(match).as('found'))
        : db.$count(letterPlaces, mine),
    key: ({ last }) => [last.id],
  });
}

/** Those of a thread that somebody has not deleted, in the order they were written. */
export function listLetters(db: Db, query: PageQuery & { of: SeenThread }): Promise<Page<LetterRow>> {
  const { place, last } = query.of;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(letters)
        .where(
          and(
            eq(letters.threadId, place.threadId),
            gt(letters.seq, place.hiddenSeq),
            after === null ? undefined : gt(letters.seq, Number(after[0])),
          ),
        )
        .orderBy(asc(letters.seq))
        .offset(offset)
        .limit(limit),
    total: async () => last.seq - place.hiddenSeq,
    key: ({ seq, id }) => [String(seq), id],
    parts: ['int'],
  });
}

/** How far somebody has read, as others see it. */
export async function getReadSeq(db: Db, threadId: string, userId: string): Promise<number> {
  const [row] = await db
    .select({ seq: letterPlaces.readSeq })
    .from(letterPlaces)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)));
  return row?.seq ?? 0;
}

/** The thread of a letter that somebody can see, as they see it. */
export async function getThreadOf(db: Db, userId: string, letterId: string): Promise<SeenThread> {
  const [letter] = await db.select().from(letters).where(eq(letters.id, letterId));
  const noLetter = new CallError('NOT_FOUND', { message: '没有找到要回复的信' });
  if (letter === undefined) throw noLetter;
  const [seen] = await selectThreads(db, userId).where(
    and(
      eq(letterPlaces.threadId, letter.threadId),
      eq(letterPlaces.userId, userId),
      lt(letterPlaces.hiddenSeq, letter.seq),
    ),
  );
  if (seen === undefined) throw noLetter;
  return seen;
}

export async function insertThread(db: Db, thread: ThreadRow): Promise<void> {
  await db.insert(letterThreads).values(thread);
  await db
    .insert(letterPlaces)
    .values([thread.userA, thread.userB].map((userId) => ({ threadId: thread.id, userId })));
}

/** By whoever holds the contact of the two: the next of its thread, which both have from now on. */
export async function insertLetter(db: Db, letter: Omit<LetterRow, 'seq'>): Promise<LetterRow> {
  const [row] = await db
    .insert(letters)
    .values({
      ...letter,
      seq: sql`(select coalesce(max(seq), 0) + 1 from letters where thread_id = ${letter.threadId})`,
    })
    .returning();
  if (row === undefined) throw noThread();
  const isOwn = sql`${letterPlaces.userId} = ${letter.fromId}`;
  await db
    .update(letterPlaces)
    .set({
      lastId: row.id,
      // Whoever answers has read.
      readSeq: sql`case when ${isOwn} then ${row.seq}::int else ${letterPlaces.readSeq} end`,
      unread: sql`case when ${isOwn} then 0 else ${letterPlaces.unread} + 1 end`,
    })
    .where(eq(letterPlaces.threadId, letter.threadId));
  return row;
}

/** As it is now: a letter that comes at the same time is there before or comes after. */
export async function lockThread(db: Db, userId: string, threadId: string): Promise<SeenThread> {
  await db
    .select({ userId: letterPlaces.userId })
    .from(letterPlaces)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)))
    .for('update');
  return getThread(db, userId, threadId);
}

export async function updatePlace(
  db: Db,
  { threadId, userId }: PlaceRow,
  fields: Partial<Omit<PlaceRow, 'threadId' | 'userId'>>,
): Promise<void> {
  await db
    .update(letterPlaces)
    .set(fields)
    .where(and(eq(letterPlaces.threadId, threadId), eq(letterPlaces.userId, userId)));
}

/** Takes away all that these people wrote or got; answers with the others who have fewer unread ones now. */
export async function removeThreadsOf(db: Db, userIds: string[]): Promise<string[]> {
  const theirs = or(inArray(letterThreads.userA, userIds), inArray(letterThreads.userB, userIds));
  const rows = await db
    .select({ userId: letterPlaces.userId })
    .from(letterThreads)
    .innerJoin(letterPlaces, eq(letterPlaces.threadId, letterThreads.id))
    .where(and(theirs, gt(letterPlaces.unread, 0)));
  await db.delete(letterThreads).where(theirs);
  return [...new Set(rows.map(({ userId }) => userId))].filter((id) => !userIds.includes(id));
}
