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
  noticeEvents,
  notices,
  type User,
  users,
} from '../../accounts/users/tables.ts';
import { essays } from '../../content/essays/tables.ts';

const userCardColumns = {
  id: users.id,
  displayName: users.displayName,
  headImg: users.headImg,
  title: users.title,
  curIdentity: users.curIdentity,
  memberUntil: users.memberUntil,
};
type ActorUser = Pick<User, keyof typeof userCardColumns>;

export interface NoticeRow {
  notice: typeof notices.$inferSelect;
  isRead: boolean;
  isTargetDeleted: boolean;
  /** Up to three of the actors, newest first. */
  actorUsers: ActorUser[];
  /** Up to three of the events of a group, newest first. */
  events: NoticeEvent[];
}

export interface NoticeEvent {
  name: string;
  excerpt: string;
  url: string;
  toldAt: Date;
}

/** Actors whom the reader of the notice has blocked are hidden. */
const isActorVisible = sql`not exists (
  select 1 from ${blocks} where blocks.user_id = ${notices.userId} and blocks.blocked_id = ${noticeActors.userId})`;
const hasVisibleActor = sql`(${notices.actors} = 0 or exists (
  select 1 from notice_actors where ${noticeActors.noticeId} = ${notices.id} and ${isActorVisible}))`;

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
            hasVisibleActor,
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
  const listed = page.list.map(({ notice }) => notice);
  const actorUsers = await listActors(
    db,
    listed.map(({ id }) => id),
  );
  const isDeleted = await findDeletedTargets(db, listed);
  const events = await listEvents(
    db,
    listed.map(({ id }) => id),
  );
  return mapPage(page, (row) => {
    const shown = events.get(row.notice.id) ?? [];
    return {
      ...row,
      notice: withNewest(row.notice, shown),
      isTargetDeleted: isDeleted(row.notice),
      actorUsers: actorUsers.get(row.notice.id) ?? [],
      events: shown,
    };
  });
}

/** The newest event of a group may be one of a user whom the reader has blocked since. */
const withNewest = (notice: NoticeRow['notice'], [newest]: NoticeEvent[]): NoticeRow['notice'] =>
  newest === undefined ? notice : { ...notice, excerpt: newest.excerpt, targetUrl: newest.url };

const ESSAY_URL = /^\/essay\/(?:detail\/|edit\.html\?id=)([0-9a-f]{32})/;

type NoticeLink = Pick<NoticeRow['notice'], 'targetUrl'>;

/** Returns a function that tells whether a notice links to a deleted essay. */
async function findDeletedTargets(db: Db, links: NoticeLink[]): Promise<(notice: NoticeLink) => boolean> {
  const essayOf = ({ targetUrl }: NoticeLink) => ESSAY_URL.exec(targetUrl)?.[1];
  const ids = [...new Set(links.flatMap((notice) => essayOf(notice) ?? []))];
  if (ids.length === 0) return () => false;
  const found = await db
    .select({ id: essays.id })
    .from(essays)
    .where(and(inArray(essays.id, ids), isNull(essays.deletedAt)));
  const existing = new Set(found.map(({ id }) => id));
  return (notice) => {
    const id = essayOf(notice);
    return id !== undefined && !existing.has(id);
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

const MAX_LISTED_ACTORS = 3;
const MAX_LISTED_EVENTS = 3;

async function listEvents(db: Db, noticeIds: string[]): Promise<Map<string, NoticeEvent[]>> {
  if (noticeIds.length === 0) return new Map();
  const newest = db
    .select({
      noticeId: noticeEvents.noticeId,
      position: noticeEvents.position,
      name: users.displayName,
      excerpt: noticeEvents.excerpt,
      url: noticeEvents.url,
      toldAt: noticeEvents.toldAt,
    })
    .from(noticeEvents)
    .innerJoin(notices, eq(notices.id, noticeEvents.noticeId))
    .innerJoin(users, eq(users.id, noticeEvents.userId))
    .where(
      and(
        sql`${noticeEvents.noticeId} = listed.id`,
        sql`not exists (
          select 1 from ${blocks}
          where blocks.user_id = ${notices.userId} and blocks.blocked_id = ${noticeEvents.userId})`,
      ),
    )
    .orderBy(desc(noticeEvents.position))
    .limit(MAX_LISTED_EVENTS)
    .as('newest');
  const rows = await db
    .select({
      noticeId: newest.noticeId,
      name: newest.name,
      excerpt: newest.excerpt,
      url: newest.url,
      toldAt: newest.toldAt,
    })
    .from(sql`unnest(${sql.param(noticeIds)}::uuid[]) as listed (id)`)
    .crossJoinLateral(newest)
    .orderBy(desc(newest.position));
  return Map.groupBy(rows, ({ noticeId }) => noticeId);
}

async function listActors(db: Db, noticeIds: string[]): Promise<Map<string, ActorUser[]>> {
  if (noticeIds.length === 0) return new Map();
  const newest = db
    .select({
      noticeId: noticeActors.noticeId,
      userId: noticeActors.userId,
      position: noticeActors.position,
    })
    .from(noticeActors)
    .innerJoin(notices, eq(notices.id, noticeActors.noticeId))
    .where(and(sql`${noticeActors.noticeId} = listed.id`, isActorVisible))
    .orderBy(desc(noticeActors.position))
    .limit(MAX_LISTED_ACTORS)
    .as('newest');
  const rows = await db
    .select({ noticeId: newest.noticeId, user: userCardColumns })
    .from(sql`unnest(${sql.param(noticeIds)}::uuid[]) as listed (id)`)
    .crossJoinLateral(newest)
    .innerJoin(users, eq(users.id, newest.userId))
    .orderBy(desc(newest.position));
  const actorUsers = new Map<string, ActorUser[]>();
  for (const { noticeId, user } of rows)
    actorUsers.set(noticeId, [...(actorUsers.get(noticeId) ?? []), user]);
  return actorUsers;
}

export interface DigestRecipient {
  userId: string;
  displayName: string;
  email: string;
  unread: number;
  /** The newest notices that no digest has contained yet. */
  rows: NoticeRow[];
}

const MAX_DIGEST_NOTICES = 10;

/** Locks, in order of user id, inboxes with notices newer than the last digest, until the transaction ends. */
export async function lockDueInboxes(db: Db, after: string | null, limit: number): Promise<string[]> {
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

/** Returns the users who have digests switched on, a verified address and new unread notices. */
export async function listDigestRecipients(db: Db, userIds: string[]): Promise<DigestRecipient[]> {
  const newest = db
    .select({ id: notices.id, position: notices.position })
    .from(notices)
    .where(
      sql`${notices.userId} = ${noticeBoxes.userId} and ${notices.readAt} is null and ${hasVisibleActor}
        and ${notices.position} > greatest(${noticeBoxes.digestTo}, ${noticeBoxes.readTo})`,
    )
    .orderBy(desc(notices.position))
    .limit(MAX_DIGEST_NOTICES)
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
        isNull(accounts.emailBounce),
        sql`${accounts.email} is not null`,
      ),
    )
    .crossJoinLateral(newest)
    .innerJoin(notices, eq(notices.id, newest.id))
    .where(inArray(noticeBoxes.userId, userIds))
    .orderBy(users.id, desc(notices.position));
  const actorUsers = await listActors(
    db,
    rows.map((row) => row.notice.id),
  );
  const isDeleted = await findDeletedTargets(
    db,
    rows.map((row) => row.notice),
  );
  const events = await listEvents(
    db,
    rows.map((row) => row.notice.id),
  );
  const recipients = new Map<string, DigestRecipient>();
  for (const { notice, ...user } of rows) {
    const recipient = recipients.get(user.userId) ?? { ...user, rows: [] };
    recipient.rows.push({
      notice: withNewest(notice, events.get(notice.id) ?? []),
      isRead: false,
      isTargetDeleted: isDeleted(notice),
      actorUsers: actorUsers.get(notice.id) ?? [],
      events: [],
    });
    recipients.set(user.userId, recipient);
  }
  return [...recipients.values()];
}
