import type { Page } from '@mozhan/contract/common.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { HighlightColor } from '@mozhan/contract/highlight-colors.ts';
import { and, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { containsKeyword } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import { literal } from '../../../../db/literal.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { parseRows } from '../../../../db/rows.ts';
import {
  type EssayRow,
  essays,
  type HighlightRow,
  highlightedEssays,
  highlightPassages,
  highlights,
  type StoredPassage,
} from '../tables.ts';

export type EssayBrief = Pick<EssayRow, 'id' | 'slug' | 'title' | 'status' | 'deletedAt'>;

const essayBrief = {
  id: essays.id,
  slug: essays.slug,
  title: essays.title,
  status: essays.status,
  deletedAt: essays.deletedAt,
};

const selectWithEssay = (db: Db) =>
  db
    .select({ highlight: highlights, essay: essayBrief })
    .from(highlights)
    .innerJoin(essays, eq(essays.id, highlights.essayId));

export interface HighlightWithEssay {
  highlight: HighlightRow;
  essay: EssayBrief;
}

interface OwnFilter {
  userId: string;
  essayId?: string | undefined;
  color?: HighlightColor | undefined;
  keyword?: string | undefined;
}

const matchesOwn = ({ userId, essayId, color, keyword }: OwnFilter): SQL | undefined =>
  and(
    eq(highlights.userId, userId),
    essayId === undefined ? undefined : eq(highlights.essayId, essayId),
    color === undefined ? undefined : eq(highlights.color, color),
    keyword
      ? or(
          containsKeyword(sql`${highlights.quote}`, keyword),
          containsKeyword(sql`${highlights.note}`, keyword),
        )
      : undefined,
  );

/** Newest first. The number of a user's highlights is limited, so a keyword needs no index. */
export const listOwn = (db: Db, query: PageQuery & OwnFilter): Promise<Page<HighlightWithEssay>> =>
  listPage(db, query, {
    select: selectWithEssay(db),
    match: matchesOwn(query),
    id: highlights.id,
    key: ({ highlight }) => [highlight.id],
  });

export const listOwnOfEssay = (
  db: Db,
  { userId, essayId, limit }: { userId: string; essayId: string; limit: number },
): Promise<HighlightWithEssay[]> =>
  selectWithEssay(db)
    .where(and(eq(highlights.userId, userId), eq(highlights.essayId, essayId)))
    .orderBy(desc(highlights.id))
    .limit(limit);

export interface HighlightedEssayRow {
  essay: EssayBrief;
  count: number;
  updatedAt: Date;
}

/** The last highlighted first. */
export const listHighlightedEssays = (
  db: Db,
  query: PageQuery & { userId: string },
): Promise<Page<HighlightedEssayRow>> =>
  listPage(db, query, {
    select: db
      .select({ essay: essayBrief, count: highlightedEssays.count, updatedAt: highlightedEssays.updatedAt })
      .from(highlightedEssays)
      .innerJoin(essays, eq(essays.id, highlightedEssays.essayId)),
    match: eq(highlightedEssays.userId, query.userId),
    by: highlightedEssays.updatedAt,
    id: highlightedEssays.essayId,
    key: (row) => [row.updatedAt, row.essay.id],
  });

export async function findOwn(db: Db, id: string, userId: string): Promise<HighlightWithEssay | null> {
  const [row] = await selectWithEssay(db).where(and(eq(highlights.id, id), eq(highlights.userId, userId)));
  return row ?? null;
}

/** A highlight of somebody else does not exist for the viewer. */
export async function lockOwn(db: Db, id: string, userId: string): Promise<HighlightRow> {
  const [row] = await db
    .select()
    .from(highlights)
    .where(and(eq(highlights.id, id), eq(highlights.userId, userId)))
    .for('no key update');
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这处划线，它可能已被删除' });
  return row;
}

/** Serializes changes of the user's highlights, so that the limits are exact. */
export async function lockHighlightsOf(db: Db, userId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`highlights ${userId}`}, 0))`);
}

export const findAt = async (
  db: Db,
  { userId, essayId, startAt, endAt }: Pick<HighlightRow, 'userId' | 'essayId' | 'startAt' | 'endAt'>,
): Promise<HighlightRow | null> => {
  const [row] = await db
    .select()
    .from(highlights)
    .where(
      and(
        eq(highlights.userId, userId),
        eq(highlights.essayId, essayId),
        eq(highlights.startAt, startAt),
        eq(highlights.endAt, endAt),
        // Other words are now at the last position of one that is gone.
        ne(highlights.state, 'orphaned'),
      ),
    )
    .limit(1);
  return row ?? null;
};

export const countOf = (db: Db, userId: string): Promise<number> =>
  db.$count(highlights, eq(highlights.userId, userId));

export async function insertHighlight(db: Db, highlight: HighlightRow): Promise<void> {
  await db.insert(highlights).values(highlight);
}

export async function updateHighlight(
  db: Db,
  id: string,
  fields: Partial<typeof highlights.$inferInsert>,
): Promise<void> {
  await db.update(highlights).set(fields).where(eq(highlights.id, id));
}

type HighlightFields = Partial<typeof highlights.$inferInsert>;

export async function linkComment(db: Db, id: string, fields: HighlightFields): Promise<boolean> {
  const rows = await db
    .update(highlights)
    .set(fields)
    .where(and(eq(highlights.id, id), isNull(highlights.commentId)))
    .returning({ id: highlights.id });
  return rows.length > 0;
}

/** Updates the highlight whose public thought is this comment, if there is one. */
export async function updateLinked(db: Db, commentId: string, fields: HighlightFields): Promise<boolean> {
  const rows = await db
    .update(highlights)
    .set(fields)
    .where(eq(highlights.commentId, commentId))
    .returning({ id: highlights.id });
  return rows.length > 0;
}

export async function removeHighlight(db: Db, id: string): Promise<void> {
  await db.delete(highlights).where(eq(highlights.id, id));
}

/** Returns how many highlights the user then has in the essay. */
export async function addToHighlightedEssay(
  db: Db,
  { userId, essayId, by, now }: { userId: string; essayId: string; by: 1 | -1; now: Date },
): Promise<number> {
  const [row] = await db
    .insert(highlightedEssays)
    .values({ userId, essayId, count: by, updatedAt: now })
    .onConflictDoUpdate({
      target: [highlightedEssays.userId, highlightedEssays.essayId],
      set: { count: sql`${highlightedEssays.count} + ${by}::int`, ...(by === 1 && { updatedAt: now }) },
    })
    .returning({ count: highlightedEssays.count });
  const count = row?.count ?? 0;
  if (count <= 0)
    await db
      .delete(highlightedEssays)
      .where(and(eq(highlightedEssays.userId, userId), eq(highlightedEssays.essayId, essayId)));
  return count;
}

export type ShelvedEssay = Pick<EssayRow, 'id' | 'shelvedVersion' | 'updatedAt' | 'status'>;

const selectShelved = (db: Db, essayId: string) =>
  db
    .select({
      id: essays.id,
      shelvedVersion: essays.shelvedVersion,
      updatedAt: essays.updatedAt,
      status: essays.status,
    })
    .from(essays)
    .where(eq(essays.id, essayId));

export async function findShelvedEssay(db: Db, essayId: string): Promise<ShelvedEssay | null> {
  const [row] = await selectShelved(db, essayId);
  return row ?? null;
}

/** Prevents that the essay's text changes in the meantime. */
export async function lockShelvedEssay(db: Db, essayId: string): Promise<ShelvedEssay | null> {
  const [row] = await selectShelved(db, essayId).for('share');
  return row ?? null;
}

/** Returns the essays for which a job must be added. */
export async function markQueued(db: Db, essayIds: readonly string[]): Promise<string[]> {
  if (essayIds.length === 0) return [];
  const rows = await db
    .insert(highlightPassages)
    .values(essayIds.map((essayId) => ({ essayId, isQueued: true })))
    .onConflictDoUpdate({
      target: highlightPassages.essayId,
      set: { isQueued: true },
      setWhere: sql`not ${highlightPassages.isQueued}`,
    })
    .returning({ essayId: highlightPassages.essayId });
  return rows.map(({ essayId }) => essayId);
}

/** Returns false if nobody has highlighted the essay. */
export async function markStale(db: Db, essayId: string): Promise<boolean> {
  const rows = await db
    .update(highlightPassages)
    .set({ isStale: true, isQueued: true })
    .where(eq(highlightPassages.essayId, essayId))
    .returning({ essayId: highlightPassages.essayId });
  return rows.length > 0;
}

/** From here on a change queues another job. */
export async function takeQueued(db: Db, essayId: string): Promise<{ isStale: boolean } | null> {
  const [row] = await db
    .update(highlightPassages)
    .set({ isQueued: false })
    .where(eq(highlightPassages.essayId, essayId))
    .returning({ isStale: highlightPassages.isStale });
  return row ?? null;
}

/** Positions stay stale if the text has changed again in the meantime. Returns whether there were passages before. */
export async function savePassages(db: Db, essayId: string, passages: StoredPassage[]): Promise<boolean> {
  const [before] = await db
    .select({ passages: highlightPassages.passages })
    .from(highlightPassages)
    .where(eq(highlightPassages.essayId, essayId))
    .for('no key update');
  await db
    .update(highlightPassages)
    .set({ passages, isStale: sql`${highlightPassages.isStale} and ${highlightPassages.isQueued}` })
    .where(eq(highlightPassages.essayId, essayId));
  return (before?.passages.length ?? 0) > 0;
}

export async function findPassages(
  db: Db,
  essayId: string,
): Promise<{ passages: StoredPassage[]; isStale: boolean }> {
  const [row] = await db
    .select({ passages: highlightPassages.passages, isStale: highlightPassages.isStale })
    .from(highlightPassages)
    .where(eq(highlightPassages.essayId, essayId));
  return row ?? { passages: [], isStale: false };
}

/** In the order of readers. */
export const listOfEssay = (
  db: Db,
  essayId: string,
  after: Pick<HighlightRow, 'userId' | 'id'> | null,
  limit: number,
): Promise<HighlightRow[]> =>
  db
    .select()
    .from(highlights)
    .where(
      and(
        eq(highlights.essayId, essayId),
        after === null
          ? undefined
          : sql`(${highlights.userId}, ${highlights.id}) > (${after.userId}::uuid, ${after.id}::uuid)`,
      ),
    )
    .orderBy(highlights.userId, highlights.id)
    .limit(limit);

export type Anchor = Pick<
  HighlightRow,
  'id' | 'exact' | 'prefix' | 'suffix' | 'startAt' | 'endAt' | 'state' | 'locked'
>;

export async function updateAnchors(db: Db, anchors: readonly Anchor[]): Promise<void> {
  if (anchors.length === 0) return;
  const column = <K extends keyof Anchor>(name: K) => sql.param(anchors.map((each) => each[name]));
  await db.execute(sql`
    update highlights set exact = each.exact, prefix = each.prefix, suffix = each.suffix, start_at = each.start_at,
      end_at = each.end_at, state = each.state, locked = each.locked
    from unnest(${column('id')}::uuid[], ${column('exact')}::text[], ${column('prefix')}::text[],
      ${column('suffix')}::text[], ${column('startAt')}::int[], ${column('endAt')}::int[], ${column('state')}::text[],
      ${column('locked')}::boolean[]) as each (id, exact, prefix, suffix, start_at, end_at, state, locked)
    where highlights.id = each.id`);
}

const MAX_THOUGHTS = 50;

/** Comments whose passages overlap the range, newest first. */
export async function listThoughtIds(
  db: Db,
  { essayId, start, end, maxLength }: { essayId: string; start: number; end: number; maxLength: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: highlights.commentId })
    .from(highlights)
    .where(
      and(
        eq(highlights.essayId, essayId),
        sql`${highlights.thoughtStatus} = ${literal(COMMENT_STATUS.visible)}`,
        lt(highlights.startAt, end),
        gt(highlights.startAt, start - maxLength),
        gt(highlights.endAt, start),
        inArray(highlights.state, ['found', 'moved']),
      ),
    )
    .orderBy(desc(highlights.id))
    .limit(MAX_THOUGHTS);
  return rows.flatMap(({ id }) => id ?? []);
}

const countedRow = z.object({ user_id: z.string(), essay_id: z.string() });

/** Removes all highlights of these users; returns the essays concerned. */
export async function removeHighlightsOf(db: Db, userIds: string[]): Promise<string[]> {
  const removed = await db.execute(sql`
    delete from ${highlightedEssays} where user_id = any(${sql.param(userIds)}::uuid[]) returning user_id, essay_id`);
  await db.delete(highlights).where(inArray(highlights.userId, userIds));
  return [...new Set(parseRows(countedRow, removed).map((row) => row.essay_id))];
}
