import type { Page } from '@mozhan/contract/common.ts';
import type { Notice } from '@mozhan/contract/notices.ts';
import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { mapPage, type PageQuery, readPage } from '../../../db/page.ts';
import { sqlBoolean, sqlInt, sqlText } from '../../../db/rows.ts';
import {
  accounts,
  blocks,
  noticeActors,
  noticeBoxes,
  noticeCounts,
  notices,
  type User,
  users,
} from '../../accounts/users/tables.ts';
import { essays } from '../../content/essays/tables.ts';

/** What a card shows. */
const person = {
  id: users.id,
  displayName: users.displayName,
  headImg: users.headImg,
  title: users.title,
  curIdentity: users.curIdentity,
  memberUntil: users.memberUntil,
};
type Person = Pick<User, keyof typeof person>;

export interface NoticeRow {
  notice: typeof notices.$inferSelect;
  isRead: boolean;
  /** The essay that it leads to is not there any more. */
  isGone: boolean;
  /** Some of those who did it, the newest first. */
  people: Person[];
}

/** Of a notice; the blocked ones of its reader are out of sight. */
const inSight = sql`not exists (
  select 1 from ${blocks} where blocks.user_id = ${notices.userId} and blocks.blocked_id = ${noticeActors.userId})`;
const hasSomebody = sql`(${notices.actors} = 0 or exists (
  select 1 from notice_actors where ${noticeActors.noticeId} = ${notices.id} and ${inSight}))`;

/** What a user was told, newest first; of a kind, when one is given. */
export async function listNotices(
  db: Db,
  query: PageQuery & { userId: string; kind?: Notice['kind'] | undefined },
): Promise<Page<NoticeRow>> {
  const { userId, kind } = query;
  const page = await readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select({
          notice: notices,
          isRead: sqlBoolean`${notices.readAt} is not null or ${notices.position} <= ${noticeBoxes.readTo}`,
        })
        .from(notices)
        .innerJoin(noticeBoxes, eq(noticeBoxes.userId, notices.userId))
        .where(
          and(
            eq(notices.userId, userId),
            kind === undefined ? undefined : eq(notices.kind, kind),
            hasSomebody,
            after === null ? undefined : lt(notices.position, Number(after[0])),
          ),
        )
        .orderBy(desc(notices.position))
        .offset(offset)
        .limit(limit),
    total: () => getTotal(db, userId, kind),
    key: ({ notice }) => [String(notice.position), notice.id],
    parts: ['bigint'],
  });
  const told = page.list.map(({ notice }) => notice);
  const people = await listPeople(
    db,
    told.map(({ id }) => id),
  );
  const gone = await findGone(db, told);
  return mapPage(page, (row) => ({
    ...row,
    isGone: gone(row.notice),
    people: people.get(row.notice.id) ?? [],
  }));
}

const ESSAY = /^\/essay\/(?:detail\/|edit\.html\?id=)([0-9a-f]{32})/;

type Told = Pick<NoticeRow['notice'], 'targetUrl'>;

/** Which of these lead to an essay that was deleted since. */
async function findGone(db: Db, told: Told[]): Promise<(notice: Told) => boolean> {
  const essayOf = ({ targetUrl }: Told) => ESSAY.exec(targetUrl)?.[1];
  const ids = [...new Set(told.flatMap((notice) => essayOf(notice) ?? []))];
  if (ids.length === 0) return () => false;
  const there = await db
    .select({ id: essays.id })
    .from(essays)
    .where(and(inArray(essays.id, ids), isNull(essays.deletedAt)));
  const kept = new Set(there.map(({ id }) => id));
  return (notice) => {
    const id = essayOf(notice);
    return id !== undefined && !kept.has(id);
  };
}

async function getTotal(db: Db, userId: string, kind: Notice['kind'] | undefined): Promise<number> {
  const [row] = await db
    .select({ total: sqlInt`coalesce(sum(${noticeCounts.total}), 0)::int` })
    .from(noticeCounts)
    .where(
      and(eq(noticeCounts.userId, userId), kind === undefined ? undefined : eq(noticeCounts.kind, kind)),
    );
  return row?.total ?? 0;
}

/** As many as are shown of those who did it. */
const SHOWN = 3;

async function listPeople(db: Db, noticeIds: string[]): Promise<Map<string, Person[]>> {
  if (noticeIds.length === 0) return new Map();
  const newest = db
    .select({
      noticeId: noticeActors.noticeId,
      userId: noticeActors.userId,
      position: noticeActors.position,
    })
    .from(noticeActors)
    .innerJoin(notices, eq(notices.id, noticeActors.noticeId))
    .where(and(sql`${noticeActors.noticeId} = told.id`, inSight))
    .orderBy(desc(noticeActors.position))
    .limit(SHOWN)
    .as('newest');
  const rows = await db
    .select({ noticeId: newest.noticeId, user: person })
    .from(sql`unnest(${sql.param(noticeIds)}::uuid[]) as told (id)`)
    .crossJoinLateral(newest)
    .innerJoin(users, eq(users.id, newest.userId))
    .orderBy(desc(newest.position));
  const people = new Map<string, Person[]>();
  for (const { noticeId, user } of rows) people.set(noticeId, [...(people.get(noticeId) ?? []), user]);
  return people;
}

export interface Reader {
  userId: string;
  displayName: string;
  email: string;
  /** All that they have not read. */
  unread: number;
  /** The newest of what no digest has told yet. */
  rows: NoticeRow[];
}

/** How many lines a digest has at the most. */
const LINES = 10;

/** Whose boxes have something newer than their last digest, by id; held until the transaction ends. */
export async function lockWaiting(db: Db, after: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .select({ userId: noticeBoxes.userId })
    .from(noticeBoxes)
    .where(
      and(
        sql`${noticeBoxes.position} > ${noticeBoxes.digestTo}`,
        after === null ? undefined : sql`${noticeBoxes.userId} > ${after}::uuid`,
      ),
    )
    .orderBy(noticeBoxes.userId)
    .limit(limit)
    .for('update');
  return rows.map((row) => row.userId);
}

/** Those of them who want a digest, can be reached and have something new to read. */
export async function listReaders(db: Db, userIds: string[]): Promise<Reader[]> {
  const newest = db
    .select({ id: notices.id, position: notices.position })
    .from(notices)
    .where(
      sql`${notices.userId} = ${noticeBoxes.userId} and ${notices.readAt} is null
        and ${notices.position} > greatest(${noticeBoxes.digestTo}, ${noticeBoxes.readTo})`,
    )
    .orderBy(desc(notices.position))
    .limit(LINES)
    .as('newest');
  const rows = await db
    .select({
      userId: users.id,
      displayName: users.displayName,
      email: sqlText`${accounts.email}`,
      unread: sqlInt`(
        select coalesce(sum(${noticeCounts.unread}), 0)::int from ${noticeCounts}
        where ${noticeCounts.userId} = ${users.id})`,
      notice: notices,
    })
    .from(noticeBoxes)
    .innerJoin(users, and(eq(users.id, noticeBoxes.userId), eq(users.digest, true)))
    .innerJoin(
      accounts,
      and(
        eq(accounts.userId, users.id),
        eq(accounts.enabled, true),
        eq(accounts.emailVerified, true),
        sql`${accounts.email} is not null`,
      ),
    )
    .crossJoinLateral(newest)
    .innerJoin(notices, eq(notices.id, newest.id))
    .where(inArray(noticeBoxes.userId, userIds))
    .orderBy(users.id, desc(notices.position));
  const people = await listPeople(
    db,
    rows.map((row) => row.notice.id),
  );
  const gone = await findGone(
    db,
    rows.map((row) => row.notice),
  );
  const readers = new Map<string, Reader>();
  for (const { notice, ...reader } of rows) {
    const known = readers.get(reader.userId) ?? { ...reader, rows: [] };
    known.rows.push({
      notice,
      isRead: false,
      isGone: gone(notice),
      people: people.get(notice.id) ?? [],
    });
    readers.set(reader.userId, known);
  }
  return [...readers.values()];
}
