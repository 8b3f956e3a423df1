import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRow, parseRows, sqlInt } from '../../../../db/rows.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { type EssayRow, essayHistory, essays, purchases } from '../tables.ts';

const isListed = (columnId: string) =>
  and(eq(essays.columnId, columnId), eq(essays.status, ESSAY_STATUS.onShelf));

export async function sumColumn(db: Db, columnId: string): Promise<{ wordCount: number; paidCount: number }> {
  const [row] = await db
    .select({
      wordCount: sqlInt`coalesce(sum(${essays.wordCount}), 0)::int`,
      paidCount: sqlInt`count(*) filter (where ${essays.price} > 0 or ${essays.memberFree})::int`,
    })
    .from(essays)
    .where(isListed(columnId));
  return row ?? { wordCount: 0, paidCount: 0 };
}

export async function findCoverSize(
  db: Db,
  cover: string,
): Promise<{ width: number; height: number } | null> {
  if (cover === '') return null;
  const [row] = await db
    .select({ width: uploads.width, height: uploads.height })
    .from(uploads)
    .where(eq(uploads.path, cover))
    .limit(1);
  return row ?? null;
}

export async function findFirstEssay(
  db: Db,
  columnId: string,
): Promise<Pick<EssayRow, 'id' | 'slug' | 'title'> | null> {
  const [row] = await db
    .select({ id: essays.id, slug: essays.slug, title: essays.title })
    .from(essays)
    .where(isListed(columnId))
    .orderBy(asc(essays.columnSort), asc(essays.id))
    .limit(1);
  return row ?? null;
}

/** An essay counts as finished from this progress on: few readers scroll to the very end. */
const FINISHED = literal(95);

const progressRow = z.object({
  finished: z.int(),
  id: z.string().nullable(),
  slug: z.string().nullable(),
  title: z.string().nullable(),
  position: z.int().nullable(),
  progress: z.int().nullable(),
});

/**
 * The number of finished essays, and the essay to continue with: the one that the reader opened last, or if it is
 * finished, the next unfinished one in the order of the column, beginning again at its start.
 */
export async function findColumnProgress(db: Db, userId: string, columnId: string) {
  const result = await db.execute(sql`
    with listed as (
      select essays.id, row_number() over (order by column_sort, essays.id)::int as position,
        coalesce(history.progress, 0) as progress, history.read_at
      from ${essays} left join ${essayHistory} as history
        on history.essay_id = essays.id and history.user_id = ${userId}
      where column_id = ${columnId} and status = ${literal(ESSAY_STATUS.onShelf)}
    ),
    last as (select * from listed where read_at is not null order by read_at desc, position desc limit 1),
    resume as (
      select listed.id, listed.position, listed.progress from listed, last
      where case when last.progress < ${FINISHED} then listed.id = last.id else listed.progress < ${FINISHED} end
      order by listed.position < last.position, listed.position limit 1
    )
    select (select count(*)::int from listed where progress >= ${FINISHED}) as finished,
      essays.id, essays.slug, essays.title, resume.position, resume.progress
    from (values (1)) as one left join resume on true left join ${essays} on essays.id = resume.id`);
  const { finished, id, slug, title, position, progress } = parseRow(progressRow, result);
  const resume =
    id === null || title === null || position === null || progress === null
      ? null
      : { id, slug, title, position, progress };
  return { finished, resume };
}

const touchedRow = z.object({ id: z.string(), progress: z.int(), bought: z.boolean() });

const MAX_TOUCHED = literal(500);

/** Essays of the column that the user has read or bought, in its order. */
export async function listTouchedEssays(db: Db, userId: string, columnId: string) {
  const result = await db.execute(sql`
    select essays.id, coalesce(history.progress, 0) as progress, purchases.target_id is not null as bought
    from ${essays}
    left join ${essayHistory} as history on history.essay_id = essays.id and history.user_id = ${userId}
    left join ${purchases} on purchases.target_id = essays.id and purchases.user_id = ${userId}
    where column_id = ${columnId} and status = ${literal(ESSAY_STATUS.onShelf)}
      and (history.essay_id is not null or purchases.target_id is not null)
    order by column_sort, essays.id limit ${MAX_TOUCHED}`);
  return parseRows(touchedRow, result);
}
