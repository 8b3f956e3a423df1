import type { Page } from '@mozhan/contract/common.ts';
import { and, asc, eq, inArray, isNull, lte, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, parseRow, parseRows, sqlInt } from '../../../../db/rows.ts';
import { essays } from '../../../content/essays/tables.ts';
import { pages } from '../../../content/site/tables.ts';
import {
  type ItemRow,
  type PictureRow,
  type PictureUseRow,
  remotePictures,
  remotePictureUses,
  type TransferRow,
  transferItems,
  transfers,
} from '../tables.ts';

/** An essay or a page of an import. */
export interface PictureTarget {
  transferId: string;
  essayId: string | null;
  pageId: string | null;
}

type Target = Pick<PictureTarget, 'essayId' | 'pageId'>;

/** Building a larger statement would block the process. */
const CHUNK = 100;

function* chunksOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
}

/** Inserts addresses that the import does not have yet, and returns those. */
export async function insertPictures(db: Db, rows: PictureRow[]): Promise<PictureRow[]> {
  const inserted: PictureRow[] = [];
  for (const chunk of chunksOf(rows))
    inserted.push(...(await db.insert(remotePictures).values(chunk).onConflictDoNothing().returning()));
  return inserted;
}

export async function listPictureIds(
  db: Db,
  transferId: string,
  urls: readonly string[],
): Promise<Map<string, string>> {
  const hashes = sql`array(select md5(url) from unnest(${sql.param([...urls])}::text[]) as given (url))`;
  const rows = await db
    .select({ id: remotePictures.id, url: remotePictures.url })
    .from(remotePictures)
    .where(and(eq(remotePictures.transferId, transferId), sql`md5(${remotePictures.url}) = any(${hashes})`));
  return new Map(rows.map(({ id, url }) => [url, id]));
}

export async function insertUses(db: Db, rows: PictureUseRow[]): Promise<void> {
  for (const chunk of chunksOf(rows)) await db.insert(remotePictureUses).values(chunk).onConflictDoNothing();
}

export async function addToPictureCounts(
  db: Db,
  transferId: string,
  by: { total?: number; done?: number; failed?: number },
): Promise<void> {
  await db
    .update(transfers)
    .set({
      picturesTotal: sql`${transfers.picturesTotal} + ${by.total ?? 0}`,
      picturesDone: sql`${transfers.picturesDone} + ${by.done ?? 0}`,
      picturesFailed: sql`${transfers.picturesFailed} + ${by.failed ?? 0}`,
    })
    .where(eq(transfers.id, transferId));
}

const ENDED = ['done', 'failed', 'cancelled'] as const;

/** Locks the import against an undo; returns null if it was undone, removed or still runs. */
export async function lockEndedTransfer(db: Db, id: string): Promise<TransferRow | null> {
  const [row] = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.id, id), inArray(transfers.status, [...ENDED])))
    .for('update');
  return row ?? null;
}

const isDue = (now: Date): SQL | undefined =>
  and(
    eq(remotePictures.status, 'waiting'),
    lte(remotePictures.nextAt, now),
    or(isNull(remotePictures.leasedUntil), lte(remotePictures.leasedUntil, now)),
  );

/** The oldest due pictures of ended imports. */
export const listDuePictures = (
  db: Db,
  now: Date,
  limit: number,
  exceptHosts: readonly string[] = [],
): Promise<Pick<PictureRow, 'id' | 'host'>[]> =>
  db
    .select({ id: remotePictures.id, host: remotePictures.host })
    .from(remotePictures)
    .innerJoin(
      transfers,
      and(eq(transfers.id, remotePictures.transferId), inArray(transfers.status, [...ENDED])),
    )
    .where(and(isDue(now), notInArray(remotePictures.host, [...exceptHosts])))
    .orderBy(asc(remotePictures.nextAt), asc(remotePictures.id))
    .limit(limit);

/** Serializes claims, so that the limits hold for all processes together. */
export async function lockClaims(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('remote_pictures'))`);
}

export async function countLeases(db: Db, now: Date): Promise<Map<string, number>> {
  const rows = await db
    .select({ host: remotePictures.host, count: sqlInt`count(*)::int` })
    .from(remotePictures)
    .where(sql`${remotePictures.leasedUntil} > ${now}`)
    .groupBy(remotePictures.host);
  return new Map(rows.map(({ host, count }) => [host, count]));
}

export const leasePictures = (db: Db, ids: string[], leasedUntil: Date): Promise<PictureRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .update(remotePictures)
        .set({ leasedUntil, attempts: sql`${remotePictures.attempts} + 1` })
        .where(inArray(remotePictures.id, ids))
        .returning();

/** Returns false if another process has the picture now. */
export async function endLease(
  db: Db,
  { id, attempts }: Pick<PictureRow, 'id' | 'attempts'>,
  fields: Partial<PictureRow>,
): Promise<boolean> {
  const rows = await db
    .update(remotePictures)
    .set({ ...fields, leasedUntil: null })
    .where(
      and(
        eq(remotePictures.id, id),
        eq(remotePictures.status, 'waiting'),
        eq(remotePictures.attempts, attempts),
      ),
    )
    .returning({ id: remotePictures.id });
  return rows.length > 0;
}

/** The users who get the picture: the authors of the essays; null for pages, which belong to whoever imported them. */
export async function listOwners(db: Db, pictureId: string): Promise<(string | null)[]> {
  const rows = await db
    .selectDistinct({ authorId: essays.authorId })
    .from(remotePictureUses)
    .leftJoin(essays, eq(essays.id, remotePictureUses.essayId))
    .where(eq(remotePictureUses.pictureId, pictureId));
  return rows.map(({ authorId }) => authorId);
}

const matchesTarget = ({ essayId, pageId }: Target): SQL | undefined =>
  essayId === null ? eq(remotePictureUses.pageId, pageId ?? '') : eq(remotePictureUses.essayId, essayId);

/** Essays and pages whose texts lack a result and whose pictures have all been tried. */
export function listReadyTargets(
  db: Db,
  { pictureId, limit }: { pictureId?: string; limit: number },
): Promise<PictureTarget[]> {
  const sibling = alias(remotePictureUses, 'sibling');
  const other = alias(remotePictures, 'other');
  const waiting = db
    .select({ one: sql`1` })
    .from(sibling)
    .innerJoin(other, eq(other.id, sibling.pictureId))
    .where(
      and(
        eq(other.transferId, remotePictures.transferId),
        eq(other.status, 'waiting'),
        or(eq(sibling.essayId, remotePictureUses.essayId), eq(sibling.pageId, remotePictureUses.pageId)),
      ),
    );
  return db
    .selectDistinct({
      transferId: remotePictures.transferId,
      essayId: remotePictureUses.essayId,
      pageId: remotePictureUses.pageId,
    })
    .from(remotePictureUses)
    .innerJoin(remotePictures, eq(remotePictures.id, remotePictureUses.pictureId))
    .innerJoin(
      transfers,
      and(eq(transfers.id, remotePictures.transferId), inArray(transfers.status, [...ENDED])),
    )
    .where(
      and(
        not(remotePictureUses.applied),
        ne(remotePictures.status, 'waiting'),
        pictureId === undefined ? undefined : eq(remotePictureUses.pictureId, pictureId),
        sql`not exists ${waiting}`,
      ),
    )
    .limit(limit);
}

export const listPicturesOf = (
  db: Db,
  target: PictureTarget,
): Promise<{ picture: PictureRow; isCover: boolean }[]> =>
  db
    .select({ picture: remotePictures, isCover: remotePictureUses.isCover })
    .from(remotePictureUses)
    .innerJoin(remotePictures, eq(remotePictures.id, remotePictureUses.pictureId))
    .where(and(eq(remotePictures.transferId, target.transferId), matchesTarget(target)));

/** What the items with these keys became, by key. */
export async function listTargetsByKey(
  db: Db,
  transferIds: string[],
  keys: string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({ key: transferItems.key, targetId: transferItems.targetId })
    .from(transferItems)
    .where(and(inArray(transferItems.transferId, transferIds), inArray(transferItems.key, keys)));
  return new Map(rows.flatMap(({ key, targetId }) => (targetId === null ? [] : [[key, targetId]])));
}

/** Returns false if all were marked before. */
export async function markApplied(db: Db, target: PictureTarget, pictureIds: string[]): Promise<boolean> {
  const rows = await db
    .update(remotePictureUses)
    .set({ applied: true })
    .where(
      and(
        not(remotePictureUses.applied),
        matchesTarget(target),
        inArray(remotePictureUses.pictureId, pictureIds),
      ),
    )
    .returning({ id: remotePictureUses.pictureId });
  return rows.length > 0;
}

export async function findItemOf(
  db: Db,
  { transferId, essayId, pageId }: PictureTarget,
): Promise<ItemRow | null> {
  const [row] = await db
    .select()
    .from(transferItems)
    .where(
      and(
        eq(transferItems.transferId, transferId),
        eq(transferItems.targetId, essayId ?? pageId ?? ''),
        eq(transferItems.kind, essayId === null ? 'page' : 'essay'),
      ),
    );
  return row ?? null;
}

/** Pictures and attachments of an essay or page that earlier imports fetched. */
export const listFetchedFiles = (
  db: Db,
  target: Target,
): Promise<Pick<PictureRow, 'transferId' | 'kind' | 'url' | 'path'>[]> =>
  db
    .select({
      transferId: remotePictures.transferId,
      kind: remotePictures.kind,
      url: remotePictures.url,
      path: remotePictures.path,
    })
    .from(remotePictureUses)
    .innerJoin(remotePictures, eq(remotePictures.id, remotePictureUses.pictureId))
    .where(and(matchesTarget(target), eq(remotePictures.status, 'done')));

/** Returns how many pictures will be tried again. */
export async function resetFailedPictures(
  db: Db,
  transferId: string,
  { ids, now }: { ids: readonly string[] | undefined; now: Date },
): Promise<number> {
  const chosen = ids === undefined ? sql`true` : inArray(remotePictures.id, [...ids]);
  const result = await db.execute(sql`
    with reset as (
      update remote_pictures set status = 'waiting', attempts = 0, error = '', next_at = ${now.toISOString()},
        leased_until = null
      where transfer_id = ${transferId} and status = 'failed' and ${chosen}
      returning id
    ), used as (
      update remote_picture_uses set applied = false where picture_id in (select id from reset)
    )
    select count(*)::int as count from reset`);
  return parseRow(countRow, result).count;
}

/** Returns how many pictures were given up. */
export async function failWaitingPictures(db: Db, transferId: string, error: string): Promise<number> {
  const result = await db.execute(sql`
    with failed as (
      update remote_pictures set status = 'failed', error = ${error}, leased_until = null
      where transfer_id = ${transferId} and status = 'waiting'
      returning 1
    )
    select count(*)::int as count from failed`);
  return parseRow(countRow, result).count;
}

export async function removePictures(db: Db, transferId: string): Promise<void> {
  await db.delete(remotePictures).where(eq(remotePictures.transferId, transferId));
  await db
    .update(transfers)
    .set({ picturesTotal: 0, picturesDone: 0, picturesFailed: 0 })
    .where(eq(transfers.id, transferId));
}

const usedIn = z.object({
  pictureId: z.string(),
  kind: z.enum(['essay', 'page']),
  id: z.string(),
  title: z.string(),
  isCover: z.boolean(),
});

export interface ListedPicture {
  picture: PictureRow;
  usedIn: z.output<typeof usedIn>[];
}

const MAX_SHOWN_USES = 10;

async function listUses(db: Db, pictureIds: string[]): Promise<z.output<typeof usedIn>[]> {
  if (pictureIds.length === 0) return [];
  return parseRows(
    usedIn,
    await db.execute(sql`
      select used.picture_id as "pictureId", used.is_cover as "isCover", coalesce(${essays.id}, ${pages.id}) as id,
        case when ${essays.id} is null then 'page' else 'essay' end as kind,
        coalesce(${essays.title}, ${pages.title}) as title
      from unnest(${sql.param(pictureIds)}::uuid[]) as given (id)
      cross join lateral (
        select * from remote_picture_uses as each where each.picture_id = given.id limit ${MAX_SHOWN_USES}) as used
      left join ${essays} on ${essays.id} = used.essay_id
      left join ${pages} on ${pages.id} = used.page_id`),
  );
}

/** Oldest first. */
export async function listPictures(
  db: Db,
  query: PageQuery & { id: string; status?: PictureRow['status'] | undefined },
): Promise<Page<ListedPicture>> {
  const match = and(
    eq(remotePictures.transferId, query.id),
    query.status === undefined ? undefined : eq(remotePictures.status, query.status),
  );
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const rows = await db
        .select()
        .from(remotePictures)
        .where(and(match, after === null ? undefined : sql`${remotePictures.id} > ${after.at(-1)}`))
        .orderBy(asc(remotePictures.id))
        .offset(offset)
        .limit(limit);
      const uses = Map.groupBy(
        await listUses(
          db,
          rows.map(({ id }) => id),
        ),
        ({ pictureId }) => pictureId,
      );
      return rows.map((picture) => ({ picture, usedIn: uses.get(picture.id) ?? [] }));
    },
    total: () => db.$count(remotePictures, match),
    key: ({ picture }) => [picture.id],
  });
}
