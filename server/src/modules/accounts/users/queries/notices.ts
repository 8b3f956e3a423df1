import type { Notice } from '@mozhan/contract/notices.ts';
import { noticeKind } from '@mozhan/contract/users.ts';
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { idRow, parseRows } from '../../../../db/rows.ts';
import { type Group, groupedKinds, type NewNotice, targetOf } from '../rules/notices.ts';
import { blocks, noticeActors, noticeBoxes, noticeCounts, notices, users } from '../tables.ts';

type Kind = Notice['kind'];

const uuids = (ids: readonly (string | null)[]) => sql`${sql.param(ids)}::uuid[]`;
const texts = (each: readonly string[]) => sql`${sql.param(each)}::text[]`;
const numbers = (each: readonly number[]) => sql`${sql.param(each)}::bigint[]`;

const atRow = z.object({ at: z.int() });

/** Neither of a kind that was switched off nor by somebody who is blocked. */
export async function listWanted(db: Db, told: readonly NewNotice[]): Promise<NewNotice[]> {
  const result = await db.execute(sql`
    select told.at from unnest(
      ${uuids(told.map((each) => each.userId))},
      ${texts(told.map((each) => each.kind))},
      ${uuids(told.map((each) => each.actorId ?? null))}
    ) with ordinality as told (user_id, kind, actor_id, at)
    join ${users} on users.id = told.user_id
    where coalesce((users.notify ->> told.kind)::boolean, true) and not exists (
      select 1 from ${blocks} where blocks.user_id = told.user_id and blocks.blocked_id = told.actor_id)
    order by told.at`);
  return parseRows(atRow, result).flatMap(({ at }) => told[at - 1] ?? []);
}

const positionRow = z.object({ userId: z.string(), position: z.int() });

/** Holds the boxes, in the order of ids, and takes a position in them for each notice: the last one taken. */
export async function takePositions(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const result = await db.execute(sql`
    insert into notice_boxes (user_id, position)
    select user_id, count(*) from unnest(${uuids(userIds)}) as told (user_id) group by user_id order by user_id
    on conflict (user_id) do update set position = notice_boxes.position + excluded.position
    returning user_id as "userId", position`);
  return new Map(parseRows(positionRow, result).map((row) => [row.userId, row.position]));
}

/** Those that are not there yet are made, so that nobody else makes them meanwhile. */
export async function holdBoxes(db: Db, userIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into notice_boxes (user_id)
    select id from ${users} where id = any(${uuids(userIds)}) order by id
    on conflict (user_id) do update set position = notice_boxes.position`);
}

export async function lockBoxes(db: Db, userIds: string[]): Promise<void> {
  await db
    .select({ userId: noticeBoxes.userId })
    .from(noticeBoxes)
    .where(inArray(noticeBoxes.userId, userIds))
    .orderBy(noticeBoxes.userId)
    .for('update');
}

const groupRow = z.object({ id: z.string(), userId: z.string(), kind: noticeKind, targetId: z.string() });

/** The unread notices that these join. */
export async function listOpenGroups(db: Db, told: readonly NewNotice[]): Promise<Group[]> {
  if (told.length === 0) return [];
  const result = await db.execute(sql`
    select newest.id, told.user_id as "userId", told.kind, told.target_id as "targetId"
    from (
      select distinct * from unnest(
        ${uuids(told.map((each) => each.userId))},
        ${texts(told.map((each) => each.kind))},
        ${uuids(told.map(targetOf))}
      ) as each (user_id, kind, target_id)
    ) as told
    join notice_boxes on notice_boxes.user_id = told.user_id
    cross join lateral (
      select id, position, read_at, actors from notices
      where user_id = told.user_id and kind = told.kind and target_id = told.target_id
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

/** Whoever is not among them yet joins; a notice that is joined comes first again. */
export async function insertJoining(db: Db, joining: readonly ActorRow[], now: Date): Promise<void> {
  if (joining.length === 0) return;
  await db.execute(sql`
    with joined as (
      insert into notice_actors (notice_id, user_id, position)
      select * from unnest(
        ${uuids(joining.map((each) => each.noticeId))},
        ${uuids(joining.map((each) => each.userId))},
        ${numbers(joining.map((each) => each.position))})
      on conflict (notice_id, user_id) do nothing
      returning notice_id, position
    )
    update notices set actors = actors + new.count, position = new.position, told_at = ${now.toISOString()}
    from (
      select notice_id, count(*)::int as count, max(position) as position from joined group by notice_id
    ) as new
    where notices.id = new.notice_id`);
}

interface CountChange {
  userId: string;
  kind: Kind;
  total: number;
  unread: number;
}

/** By whoever holds the boxes. */
export async function addToCounts(db: Db, changes: readonly CountChange[]): Promise<void> {
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

export type CountRow = typeof noticeCounts.$inferSelect;

export const listCounts = (db: Db, userIds: string[]): Promise<CountRow[]> =>
  db.select().from(noticeCounts).where(inArray(noticeCounts.userId, userIds));

const kindRow = z.object({ kind: noticeKind });

/** Marks these as read, by whoever holds the box. */
export async function updateRead(db: Db, userId: string, ids: string[], now: Date): Promise<void> {
  const result = await db.execute(sql`
    update notices set read_at = ${now.toISOString()} from notice_boxes as box
    where notices.user_id = ${userId} and box.user_id = ${userId} and notices.id = any(${uuids(ids)})
      and notices.read_at is null and notices.position > box.read_to
    returning notices.kind`);
  await addToCounts(
    db,
    parseRows(kindRow, result).map(({ kind }) => ({ userId, kind, total: 0, unread: -1 })),
  );
}

/** Of messages, about one conversation. */
export async function listUnreadAbout(db: Db, userId: string, targetId: string): Promise<string[]> {
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

/** All that there is, however much: by how far it goes. */
export async function updateAllRead(db: Db, userId: string): Promise<void> {
  await db
    .update(noticeBoxes)
    .set({ readTo: sql`${noticeBoxes.position}` })
    .where(eq(noticeBoxes.userId, userId));
  await db.update(noticeCounts).set({ unread: 0 }).where(eq(noticeCounts.userId, userId));
}

/** A digest of these boxes has been mailed, or nobody wanted one: the next tells what comes. */
export async function endDigest(db: Db, userIds: string[]): Promise<void> {
  await db
    .update(noticeBoxes)
    .set({ digestTo: sql`${noticeBoxes.position}` })
    .where(inArray(noticeBoxes.userId, userIds));
}

export interface Taken {
  userId: string;
  kind: Kind;
  actorId: string;
  /** Of the `target`; where there was none, of the user. */
  targetId: string;
}

/** As many of the newest about one thing as may tell of a day. */
const RECENT = 100;

export async function wasTold(db: Db, deed: Taken, since: Date): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from (
      select id, told_at from notices
      where user_id = ${deed.userId} and kind = ${deed.kind} and target_id = ${deed.targetId}
      order by position desc limit ${RECENT}
    ) as recent
    join notice_actors on notice_actors.notice_id = recent.id and notice_actors.user_id = ${deed.actorId}
    where recent.told_at > ${since.toISOString()} limit 1`);
  return rowCount !== 0;
}

/** By whoever holds the boxes. */
export async function updateExcerpts(db: Db, told: readonly Taken[], excerpt: string): Promise<void> {
  await db.execute(sql`
    update notices set excerpt = ${excerpt}
    from unnest(
      ${uuids(told.map((each) => each.userId))},
      ${texts(told.map((each) => each.kind))},
      ${uuids(told.map((each) => each.actorId))},
      ${uuids(told.map((each) => each.targetId))}
    ) as told (user_id, kind, actor_id, target_id)
    where notices.user_id = told.user_id and notices.kind = told.kind and notices.target_id = told.target_id
      and exists (
        select 1 from notice_actors where notice_id = notices.id and notice_actors.user_id = told.actor_id)`);
}

/** By whoever holds the boxes. What was read of a group stays; what was said is gone, read or not. */
export async function removeTaken(db: Db, taken: readonly Taken[]): Promise<void> {
  const result = await db.execute(sql`
    delete from notice_actors using (
      select notices.id, taken.actor_id from unnest(
        ${uuids(taken.map((each) => each.userId))},
        ${texts(taken.map((each) => each.kind))},
        ${uuids(taken.map((each) => each.actorId))},
        ${uuids(taken.map((each) => each.targetId))}
      ) as taken (user_id, kind, actor_id, target_id)
      join notice_boxes as box on box.user_id = taken.user_id
      join notices on notices.user_id = taken.user_id and notices.kind = taken.kind
        and notices.target_id = taken.target_id
      where taken.kind <> all(${texts(groupedKinds)})
        or (notices.read_at is null and notices.position > box.read_to)
    ) as told
    where notice_actors.notice_id = told.id and notice_actors.user_id = told.actor_id
    returning notice_actors.notice_id as id`);
  await updateLosing(
    db,
    parseRows(idRow, result).map((row) => row.id),
  );
}

/** By whoever holds the boxes. What told of the same before, read or not. */
export async function removeBefore(db: Db, told: readonly NewNotice[]): Promise<void> {
  if (told.length === 0) return;
  const result = await db.execute(sql`
    delete from notices using notice_boxes as box, (
      select distinct * from unnest(
        ${uuids(told.map((each) => each.userId))},
        ${texts(told.map((each) => each.kind))},
        ${uuids(told.map(targetOf))}
      ) as each (user_id, kind, target_id)
    ) as told
    where notices.user_id = told.user_id and notices.kind = told.kind and notices.target_id = told.target_id
      and box.user_id = told.user_id
    returning notices.user_id as "userId", notices.kind,
      notices.read_at is null and notices.position > box.read_to as "isUnread"`);
  await addToCounts(db, parseRows(removedRow, result).map(toRemoved));
}

const removedRow = z.object({ userId: z.string(), kind: noticeKind, isUnread: z.boolean() });

const toRemoved = ({ userId, kind, isUnread }: z.output<typeof removedRow>) => ({
  userId,
  kind,
  total: -1,
  unread: isUnread ? -1 : 0,
});

/** Notices that have lost an actor, named once for each; one that has lost all of them goes. */
async function updateLosing(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const result = await db.execute(sql`
    with lost as (select id, count(*)::int as count from unnest(${uuids(ids)}) as lost (id) group by id),
    kept as (
      update notices set actors = actors - lost.count from lost
      where notices.id = lost.id and notices.actors > lost.count
    ),
    gone as (
      delete from notices using lost where notices.id = lost.id and notices.actors <= lost.count
      returning notices.user_id, notices.kind, notices.read_at, notices.position
    )
    select gone.user_id as "userId", gone.kind, gone.read_at is null and gone.position > box.read_to as "isUnread"
    from gone join notice_boxes as box on box.user_id = gone.user_id`);
  await addToCounts(db, parseRows(removedRow, result).map(toRemoved));
}

/** Before these people go, who are locked: nobody is told any longer of what they did. */
export async function releaseNotices(db: Db, userIds: string[]): Promise<void> {
  await db.execute(sql`
    select 1 from notice_boxes where user_id in (
      select notices.user_id from notice_actors join notices on notices.id = notice_actors.notice_id
      where notice_actors.user_id = any(${uuids(userIds)}))
    order by user_id for update`);
  const rows = await db
    .delete(noticeActors)
    .where(inArray(noticeActors.userId, userIds))
    .returning({ id: noticeActors.noticeId });
  await updateLosing(
    db,
    rows.map((row) => row.id),
  );
}
