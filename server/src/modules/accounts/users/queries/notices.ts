import type { Notice } from '@mozhan/contract/notices.ts';
import { noticeKind } from '@mozhan/contract/users.ts';
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { getTargetId, groupedKinds, type NewNotice, type NoticeGroup } from '../rules/notices.ts';
import { blocks, noticeActors, noticeBoxes, noticeCounts, noticeEvents, notices, users } from '../tables.ts';

type Kind = Notice['kind'];

const uuids = (ids: readonly (string | null)[]) => sql`${sql.param(ids)}::uuid[]`;
const texts = (each: readonly string[]) => sql`${sql.param(each)}::text[]`;
const numbers = (each: readonly number[]) => sql`${sql.param(each)}::bigint[]`;

const toId = ({ id }: { id: string }): string => id;

const atRow = z.object({ at: z.int() });

/** Leaves out kinds that the recipient switched off and actors that they blocked. */
export async function filterWantedNotices(db: Db, newNotices: readonly NewNotice[]): Promise<NewNotice[]> {
  const result = await db.execute(sql`
    select item.at from unnest(
      ${uuids(newNotices.map((each) => each.userId))},
      ${texts(newNotices.map((each) => each.kind))},
      ${uuids(newNotices.map((each) => each.actorId ?? null))}
    ) with ordinality as item (user_id, kind, actor_id, at)
    join ${users} on users.id = item.user_id
    where coalesce((users.notify ->> item.kind)::boolean, true) and not exists (
      select 1 from ${blocks} where blocks.user_id = item.user_id and blocks.blocked_id = item.actor_id)
    order by item.at`);
  return parseRows(atRow, result).flatMap(({ at }) => newNotices[at - 1] ?? []);
}

const positionRow = z.object({ userId: z.string(), position: z.int() });

/** Locks the inboxes in the order of ids and reserves one position per notice; returns the last one by user. */
export async function reservePositions(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const result = await db.execute(sql`
    insert into notice_boxes (user_id, position)
    select user_id, count(*) from unnest(${uuids(userIds)}) as item (user_id) group by user_id order by user_id
    on conflict (user_id) do update set position = notice_boxes.position + excluded.position
    returning user_id as "userId", position`);
  return new Map(parseRows(positionRow, result).map((row) => [row.userId, row.position]));
}

/** Creates missing inboxes, since only existing rows can be locked. */
export async function createAndLockInboxes(db: Db, userIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into notice_boxes (user_id)
    select id from ${users} where id = any(${uuids(userIds)}) order by id
    on conflict (user_id) do update set position = notice_boxes.position`);
}

export async function lockExistingInboxes(db: Db, userIds: string[]): Promise<void> {
  await db
    .select({ userId: noticeBoxes.userId })
    .from(noticeBoxes)
    .where(inArray(noticeBoxes.userId, userIds))
    .orderBy(noticeBoxes.userId)
    .for('update');
}

const groupRow = z.object({ id: z.string(), userId: z.string(), kind: noticeKind, targetId: z.string() });

/** Finds the unread groups that these notices belong to. */
export async function listUnreadGroups(db: Db, newNotices: readonly NewNotice[]): Promise<NoticeGroup[]> {
  if (newNotices.length === 0) return [];
  const result = await db.execute(sql`
    select newest.id, item.user_id as "userId", item.kind, item.target_id as "targetId"
    from (
      select distinct * from unnest(
        ${uuids(newNotices.map((each) => each.userId))},
        ${texts(newNotices.map((each) => each.kind))},
        ${uuids(newNotices.map(getTargetId))}
      ) as each (user_id, kind, target_id)
    ) as item
    join notice_boxes on notice_boxes.user_id = item.user_id
    cross join lateral (
      select id, position, read_at, actors from notices
      where user_id = item.user_id and kind = item.kind and target_id = item.target_id
      order by position desc limit 1
    ) as newest
    where newest.actors > 0 and newest.read_at is null and newest.position > notice_boxes.read_to`);
  return parseRows(groupRow, result);
}

type ActorRow = typeof noticeActors.$inferInsert;

export async function insertNotices(
  db: Db,
  rows: (typeof notices.$inferInsert)[],
  actors: ActorRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.insert(notices).values(rows);
  if (actors.length > 0) await db.insert(noticeActors).values(actors);
}

interface AddOptions {
  now: Date;
  /** Whether an actor who is in the group already moves it too. */
  moveAgain: boolean;
}

/** Adds actors to unread groups, which move to the top of the inbox. */
export async function addActorsToGroups(
  db: Db,
  addedActors: readonly ActorRow[],
  { now, moveAgain }: AddOptions,
): Promise<void> {
  if (addedActors.length === 0) return;
  const onConflict = moveAgain ? sql`update set position = excluded.position` : sql`nothing`;
  // A row that was inserted, not updated, has no deleting transaction (`xmax`).
  await db.execute(sql`
    with joined as (
      insert into notice_actors (notice_id, user_id, position)
      select * from unnest(
        ${uuids(addedActors.map((each) => each.noticeId))},
        ${uuids(addedActors.map((each) => each.userId))},
        ${numbers(addedActors.map((each) => each.position))})
      on conflict (notice_id, user_id) do ${onConflict}
      returning notice_id, position, xmax = 0 as is_new
    )
    update notices set actors = actors + new.count, position = new.position, told_at = ${now.toISOString()}
    from (
      select notice_id, count(*) filter (where is_new)::int as count, max(position) as position
      from joined group by notice_id
    ) as new
    where notices.id = new.notice_id`);
}

/** A grouped notice has the link and the excerpt of its newest event. */
async function showNewestEvents(db: Db, noticeIds: readonly string[]): Promise<void> {
  if (noticeIds.length === 0) return;
  await db.execute(sql`
    update notices set excerpt = newest.excerpt, target_url = newest.url, told_at = newest.told_at
    from unnest(${uuids([...new Set(noticeIds)])}) as changed (id)
    cross join lateral (
      select excerpt, url, told_at from notice_events
      where notice_id = changed.id order by position desc limit 1
    ) as newest
    where notices.id = changed.id`);
}

/** The notices and their actors are there already. */
export async function insertNoticeEvents(
  db: Db,
  events: (typeof noticeEvents.$inferInsert)[],
): Promise<void> {
  if (events.length === 0) return;
  await db.insert(noticeEvents).values(events).onConflictDoNothing();
  await showNewestEvents(
    db,
    events.map(({ noticeId }) => noticeId),
  );
}

interface CountChange {
  userId: string;
  kind: Kind;
  total: number;
  unread: number;
}

/** The caller has locked the inboxes. */
export async function addToNoticeCounts(db: Db, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db.execute(sql`
    insert into notice_counts (user_id, kind, total, unread)
    select user_id, kind, sum(total), sum(unread) from unnest(
      ${uuids(changes.map((each) => each.userId))},
      ${texts(changes.map((each) => each.kind))},
      ${numbers(changes.map((each) => each.total))},
      ${numbers(changes.map((each) => each.unread))}
    ) as change (user_id, kind, total, unread)
    group by user_id, kind order by user_id, kind
    on conflict (user_id, kind) do update
      set total = notice_counts.total + excluded.total, unread = notice_counts.unread + excluded.unread`);
}

export type NoticeCountRow = Pick<typeof noticeCounts.$inferSelect, 'userId' | 'kind' | 'unread'> & {
  /** The position of the newest event in the inbox. */
  latest: number;
};

export const listNoticeCounts = (db: Db, userIds: string[]): Promise<NoticeCountRow[]> =>
  db
    .select({
      userId: noticeCounts.userId,
      kind: noticeCounts.kind,
      unread: noticeCounts.unread,
      latest: noticeBoxes.position,
    })
    .from(noticeCounts)
    .innerJoin(noticeBoxes, eq(noticeBoxes.userId, noticeCounts.userId))
    .where(inArray(noticeCounts.userId, userIds));

const kindRow = z.object({ kind: noticeKind });

/** The caller has locked the inbox. */
export async function markNoticesRead(db: Db, userId: string, ids: string[], now: Date): Promise<void> {
  const result = await db.execute(sql`
    update notices set read_at = ${now.toISOString()} from notice_boxes as box
    where notices.user_id = ${userId} and box.user_id = ${userId} and notices.id = any(${uuids(ids)})
      and notices.read_at is null and notices.position > box.read_to
    returning notices.kind`);
  await addToNoticeCounts(
    db,
    parseRows(kindRow, result).map(({ kind }) => ({ userId, kind, total: 0, unread: -1 })),
  );
}

export async function listUnreadIdsOfTarget(db: Db, userId: string, targetId: string): Promise<string[]> {
  const rows = await db
    .select({ id: notices.id })
    .from(notices)
    .innerJoin(noticeBoxes, eq(noticeBoxes.userId, notices.userId))
    .where(
      and(
        eq(notices.userId, userId),
        eq(notices.kind, 'message'),
        eq(notices.targetId, targetId),
        isNull(notices.readAt),
        gt(notices.position, noticeBoxes.readTo),
      ),
    );
  return rows.map((row) => row.id);
}

/** Moves the read position of the inbox, so the cost does not depend on the number of notices. */
export async function markAllRead(db: Db, userId: string): Promise<void> {
  await db
    .update(noticeBoxes)
    .set({ readTo: sql`${noticeBoxes.position}` })
    .where(eq(noticeBoxes.userId, userId));
  await db.update(noticeCounts).set({ unread: 0 }).where(eq(noticeCounts.userId, userId));
}

/** Records that the digest has handled all notices so far, whether it was mailed or not. */
export async function markDigestSent(db: Db, userIds: string[]): Promise<void> {
  await db
    .update(noticeBoxes)
    .set({ digestTo: sql`${noticeBoxes.position}` })
    .where(inArray(noticeBoxes.userId, userIds));
}

export interface NoticeRef {
  userId: string;
  kind: Kind;
  actorId: string;
  /** The id of the `target`, or of the user without one. */
  targetId: string;
}

const refItems = (refs: readonly NoticeRef[]) => sql`unnest(
  ${uuids(refs.map((each) => each.userId))},
  ${texts(refs.map((each) => each.kind))},
  ${uuids(refs.map((each) => each.actorId))},
  ${uuids(refs.map((each) => each.targetId))}
) as item (user_id, kind, actor_id, target_id)`;

/** Limits how many recent notices about one target are checked. */
const MAX_RECENT_NOTICES = 100;

export async function wasNotified(db: Db, ref: NoticeRef, since: Date): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from (
      select id, told_at from notices
      where user_id = ${ref.userId} and kind = ${ref.kind} and target_id = ${ref.targetId}
      order by position desc limit ${MAX_RECENT_NOTICES}
    ) as recent
    join notice_actors on notice_actors.notice_id = recent.id and notice_actors.user_id = ${ref.actorId}
    where recent.told_at > ${since.toISOString()} limit 1`);
  return rowCount !== 0;
}

/** The caller has locked the inboxes. */
export async function updateExcerpts(db: Db, refs: readonly NoticeRef[], excerpt: string): Promise<void> {
  await db.execute(sql`
    update notices set excerpt = ${excerpt}
    from ${refItems(refs)}
    where notices.user_id = item.user_id and notices.kind = item.kind and notices.target_id = item.target_id
      and exists (
        select 1 from notice_actors where notice_id = notices.id and notice_actors.user_id = item.actor_id)`);
  const events = await db.execute(sql`
    update notice_events set excerpt = ${excerpt}
    from ${refItems(refs)}, notices
    where notice_events.event_id = item.target_id and notice_events.user_id = item.actor_id
      and notices.id = notice_events.notice_id and notices.user_id = item.user_id and notices.kind = item.kind
    returning notice_events.notice_id as id`);
  await showNewestEvents(db, parseRows(idRow, events).map(toId));
}

/** Read groups stay; notices about messages are removed even when read. The caller has locked the inboxes. */
export async function removeNoticeActors(db: Db, refs: readonly NoticeRef[]): Promise<void> {
  const result = await db.execute(sql`
    delete from notice_actors using (
      select notices.id, item.actor_id from ${refItems(refs)}
      join notice_boxes as box on box.user_id = item.user_id
      join notices on notices.user_id = item.user_id and notices.kind = item.kind
        and notices.target_id = item.target_id
      where item.kind <> all(${texts(groupedKinds)})
        or (notices.read_at is null and notices.position > box.read_to)
    ) as matched
    where notice_actors.notice_id = matched.id and notice_actors.user_id = matched.actor_id
    returning notice_actors.notice_id as id, notice_actors.user_id as "userId"`);
  const removed = parseRows(eventRow, result);
  await removeEmptiedNotices(db, removed.map(toId));
  await removeEventsOf(db, removed);
  await removeEvents(db, refs);
}

const eventRow = z.object({ id: z.string(), userId: z.string() });

/** Removes what these actors did in these notices. */
async function removeEventsOf(db: Db, actors: readonly z.output<typeof eventRow>[]): Promise<void> {
  if (actors.length === 0) return;
  const result = await db.execute(sql`
    delete from notice_events using unnest(
      ${uuids(actors.map(({ id }) => id))},
      ${uuids(actors.map(({ userId }) => userId))}
    ) as item (id, user_id)
    where notice_events.notice_id = item.id and notice_events.user_id = item.user_id
    returning notice_events.notice_id as id`);
  await showNewestEvents(db, parseRows(idRow, result).map(toId));
}

/** An actor leaves the notice with the last event. */
async function removeEvents(db: Db, refs: readonly NoticeRef[]): Promise<void> {
  const result = await db.execute(sql`
    delete from notice_events using ${refItems(refs)}, notices
    where notice_events.event_id = item.target_id and notice_events.user_id = item.actor_id
      and notices.id = notice_events.notice_id and notices.user_id = item.user_id and notices.kind = item.kind
    returning notice_events.notice_id as id, notice_events.user_id as "userId"`);
  const removed = parseRows(eventRow, result);
  if (removed.length === 0) return;
  const left = await db.execute(sql`
    delete from notice_actors using (
      select distinct * from unnest(
        ${uuids(removed.map(({ id }) => id))},
        ${uuids(removed.map(({ userId }) => userId))}
      ) as each (id, user_id)
    ) as item
    where notice_actors.notice_id = item.id and notice_actors.user_id = item.user_id and not exists (
      select 1 from notice_events where notice_id = item.id and notice_events.user_id = item.user_id)
    returning notice_actors.notice_id as id`);
  await removeEmptiedNotices(db, parseRows(idRow, left).map(toId));
  await showNewestEvents(db, removed.map(toId));
}

/** Removes earlier notices about the same target, read or not. The caller has locked the inboxes. */
export async function removeReplacedNotices(db: Db, newNotices: readonly NewNotice[]): Promise<void> {
  if (newNotices.length === 0) return;
  const result = await db.execute(sql`
    delete from notices using notice_boxes as box, (
      select distinct * from unnest(
        ${uuids(newNotices.map((each) => each.userId))},
        ${texts(newNotices.map((each) => each.kind))},
        ${uuids(newNotices.map(getTargetId))}
      ) as each (user_id, kind, target_id)
    ) as item
    where notices.user_id = item.user_id and notices.kind = item.kind and notices.target_id = item.target_id
      and box.user_id = item.user_id
    returning notices.user_id as "userId", notices.kind,
      notices.read_at is null and notices.position > box.read_to as "isUnread"`);
  await addToNoticeCounts(db, parseRows(removedRow, result).map(toRemoved));
}

const removedRow = z.object({ userId: z.string(), kind: noticeKind, isUnread: z.boolean() });

const toRemoved = ({ userId, kind, isUnread }: z.output<typeof removedRow>) => ({
  userId,
  kind,
  total: -1,
  unread: isUnread ? -1 : 0,
});

/** `ids` contains a notice once per lost actor; notices without remaining actors are deleted. */
async function removeEmptiedNotices(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const result = await db.execute(sql`
    with lost as (select id, count(*)::int as count from unnest(${uuids(ids)}) as lost (id) group by id),
    remaining as (
      update notices set actors = actors - lost.count from lost
      where notices.id = lost.id and notices.actors > lost.count
    ),
    deleted as (
      delete from notices using lost where notices.id = lost.id and notices.actors <= lost.count
      returning notices.user_id, notices.kind, notices.read_at, notices.position
    )
    select deleted.user_id as "userId", deleted.kind, deleted.read_at is null and deleted.position > box.read_to as "isUnread"
    from deleted join notice_boxes as box on box.user_id = deleted.user_id`);
  await addToNoticeCounts(db, parseRows(removedRow, result).map(toRemoved));
}

/** Call before these locked users are deleted: removes them from other users' notices. */
export async function purgeNotices(db: Db, userIds: string[]): Promise<void> {
  await db.execute(sql`
    select 1 from notice_boxes where user_id in (
      select notices.user_id from notice_actors join notices on notices.id = notice_actors.notice_id
      where notice_actors.user_id = any(${uuids(userIds)}))
    order by user_id for update`);
  const rows = await db
    .delete(noticeActors)
    .where(inArray(noticeActors.userId, userIds))
    .returning({ id: noticeActors.noticeId, userId: noticeActors.userId });
  await removeEmptiedNotices(db, rows.map(toId));
  await removeEventsOf(db, rows);
}
