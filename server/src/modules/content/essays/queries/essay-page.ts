import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { sqlAs, sqlBoolean, sqlInt, sqlText } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { uploads } from '../../../platform/uploads/tables.ts';
import { categories } from '../../categories/tables.ts';
import {
  type ColumnRow,
  columns,
  type EssayRow,
  type EssayTextRow,
  essayLockedTexts,
  essayRevisions,
  essays,
  essayTexts,
  highlightPassages,
} from '../tables.ts';
import { type CardRow, cardColumns } from './lists.ts';

const neighbour = z.object({
  id: z.string(),
  slug: z.string().nullable(),
  title: z.string(),
  titleBreaks: z.array(z.int()),
});
type Neighbour = z.output<typeof neighbour>;

const size = z.object({ width: z.int(), height: z.int() });

interface Neighbours {
  previous: Neighbour | null;
  next: Neighbour | null;
}

export interface EssayPageRow extends CardRow, Neighbours {
  essay: EssayRow;
  /** The public text of the version on the shelf. */
  text: Pick<EssayTextRow, 'version' | 'html' | 'toc' | 'hasMath' | 'hasDiagrams'> | null;
  column: Pick<ColumnRow, 'id' | 'name' | 'price' | 'essayCount'> | null;
  inColumn: { position: number; essays: Neighbour[] };
  coverSize: z.output<typeof size> | null;
  /** Whether the summary was written by the author, and not taken from the text. */
  hasOwnSummary: boolean;
  /** Whether readers of the full text get another text than `text`. */
  hasLockedText: boolean;
  /** Whether there are passages that many readers highlighted. */
  hasPassages: boolean;
}

/** An essay near this one. */
const nearAsJson = `json_build_object(
  'id', replace(near.id::text, '-', ''), 'slug', near.slug, 'title', near.title, 'titleBreaks', near.title_breaks)`;

const onShelf = sql.raw(`status = ${ESSAY_STATUS.onShelf}`);

/** The previous and next essays on the shelf with the same `group`, in the order of `by`. */
function neighbours(group: string, by: string) {
  const find = (sign: '<' | '>', direction: '' | 'desc') =>
    sqlAs(neighbour.nullable())`${sql.raw(`(
      select ${nearAsJson}
      from essays near
      where near.${group} = essays.${group} and near.status = ${ESSAY_STATUS.onShelf}
        and (near.${by}, near.id) ${sign} (essays.${by}, essays.id)
      order by near.${by} ${direction}, near.id ${direction} limit 1)`)}`;
  return { previous: find('<', 'desc'), next: find('>', '') };
}

/** More than the page shows on either side, because near an end of the column it shows more of the other side. */
const MAX_ON_SIDE = 8;

/** The essays of the column around this one, in its order, with this one. */
const essaysInColumn = sqlAs(z.array(neighbour))`${sql.raw(`(
  select coalesce(json_agg(${nearAsJson}
    order by near.column_sort, near.id), '[]')
  from (
    (select id, slug, title, title_breaks, column_sort from essays near
      where near.column_id = essays.column_id and near.status = ${ESSAY_STATUS.onShelf}
        and (near.column_sort, near.id) < (essays.column_sort, essays.id)
      order by near.column_sort desc, near.id desc limit ${MAX_ON_SIDE})
    union all
    (select id, slug, title, title_breaks, column_sort from essays near
      where near.column_id = essays.column_id and near.status = ${ESSAY_STATUS.onShelf}
        and (near.column_sort, near.id) >= (essays.column_sort, essays.id)
      order by near.column_sort, near.id limit ${MAX_ON_SIDE + 1})
  ) near)`)}`;

const position = sqlInt`(
  select count(*)::int + 1 from essays near
  where near.column_id = ${essays.columnId} and near.${onShelf}
    and (near.column_sort, near.id) < (${essays.columnSort}, ${essays.id}))`;

const coverSize = sqlAs(size.nullable())`(
  select json_build_object('width', ${uploads.width}, 'height', ${uploads.height}) from ${uploads}
  where ${uploads.path} = ${essays.cover} limit 1)`;

const hasOwnSummary = sqlAs(z.boolean())`coalesce((
  select ${essayRevisions.fields} ->> 'summary' <> '' from ${essayRevisions}
  where ${essayRevisions.essayId} = ${essays.id} and ${essayRevisions.version} = ${essays.shelvedVersion}), false)`;
const hasLockedText = sqlBoolean`exists (
  select 1 from ${essayLockedTexts}
  where ${essayLockedTexts.essayId} = ${essays.id} and ${essayLockedTexts.version} = ${essays.shelvedVersion})`;
const hasPassages = sqlBoolean`exists (
  select 1 from ${highlightPassages}
  where ${highlightPassages.essayId} = ${essays.id} and ${highlightPassages.passages} <> '[]' and not ${highlightPassages.isStale})`;

/** Reads everything that the page of an essay shows, of any status, in one prepared statement. */
export function createEssayPageQuery(db: Db): (ids: string[]) => Promise<EssayPageRow[]> {
  const query = db
    .select({
      ...cardColumns,
      essay: essays,
      text: {
        version: essayTexts.version,
        html: essayTexts.html,
        toc: essayTexts.toc,
        hasMath: essayTexts.hasMath,
        hasDiagrams: essayTexts.hasDiagrams,
      },
      column: {
        id: columns.id,
        name: columns.name,
        price: columns.price,
        essayCount: columns.essayCount,
      },
      inColumn: { position, essays: essaysInColumn },
      coverSize,
      hasOwnSummary,
      hasLockedText,
      hasPassages,
      // Neighbours among the author's essays by time.
      ...neighbours('author_id', 'published_at'),
    })
    .from(essays)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .leftJoin(
      essayTexts,
      and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion)),
    )
    .leftJoin(columns, eq(columns.id, essays.columnId))
    .where(sql`${essays.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('shown_essays');
  return (ids) => query.execute({ ids });
}

const MAX_RELATED = sql.raw('6');

/** Sorted by the number of shared tags, then heat; filled up with hot essays of the category. Empty if not on the shelf. */
export function createRelatedQuery(db: Db): (ids: string[]) => Promise<(CardRow & { relatedTo: string })[]> {
  const related = sql`(
    select wanted.id as of, best.id, best.shared
    from essays wanted
    cross join lateral (
      select near.id, max(picked.shared) as shared
      from (
        select found.essay_id as id, count(*) as shared
        from unnest(wanted.tags) as own (tag)
        cross join lateral (
          select essay_id from essay_tags where essay_tags.tag = own.tag
          order by published_at desc, essay_id desc limit 40
        ) found
        where found.essay_id <> wanted.id group by 1
        union all
        (select hot.id, 0 from essays hot
          where hot.category_id = wanted.category_id and hot.${onShelf} and hot.id <> wanted.id
          order by hot.hot_score desc, hot.id desc limit ${MAX_RELATED})
      ) picked
      join essays near on near.id = picked.id and near.${onShelf}
      group by near.id, near.hot_score
      order by max(picked.shared) desc, near.hot_score desc, near.id desc limit ${MAX_RELATED}
    ) best
    where wanted.id = any(${sql.placeholder('ids')}::uuid[]) and wanted.${onShelf}
  ) related`;
  const query = db
    .select({ ...cardColumns, relatedTo: sqlText`related.of` })
    .from(essays)
    .innerJoin(related, sql`related.id = ${essays.id}`)
    .innerJoin(users, eq(users.id, essays.authorId))
    .leftJoin(categories, eq(categories.id, essays.categoryId))
    .orderBy(sql`related.shared desc, ${essays.hotScore} desc, ${essays.id} desc`)
    .prepare('related_essays');
  return (ids) => query.execute({ ids });
}
