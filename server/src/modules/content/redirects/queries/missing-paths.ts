import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import { inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { containsKeyword } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type MissingPathRow, missingPaths } from '../tables.ts';

/** The least recently requested ones are dropped. */
const MAX_ROWS = 5000;

interface MissingQuery extends PageQuery {
  keyword?: string | undefined;
  sort?: 'lastAt' | 'hits' | undefined;
  order?: SortOrder | undefined;
}

export function listMissingPaths(db: Db, query: MissingQuery): Promise<Page<MissingPathRow>> {
  const { keyword, sort = 'lastAt', order = SORT_ORDER.descending } = query;
  return listPage(db, query, {
    select: db.select().from(missingPaths),
    match: keyword ? containsKeyword(sql`${missingPaths.path}`, keyword) : undefined,
    by: missingPaths[sort],
    id: missingPaths.id,
    isDescending: order === SORT_ORDER.descending,
    key: (row) => [row[sort], row.id],
  });
}

export interface MissingCount {
  path: string;
  hits: number;
  firstAt: Date;
  lastAt: Date;
}

/** Sorted by path, so that two processes that count the same paths cannot deadlock. */
export async function addMissing(db: Db, counts: readonly MissingCount[]): Promise<void> {
  const rows = counts.map(({ path, hits, firstAt, lastAt }) => ({
    id: newId(),
    path,
    hits,
    first_at: firstAt.toISOString(),
    last_at: lastAt.toISOString(),
  }));
  await db.execute(sql`
    insert into missing_paths as known
    select * from jsonb_populate_recordset(null::missing_paths, ${JSON.stringify(rows)}::jsonb) order by path
    on conflict (path) do update set
      hits = known.hits + excluded.hits, last_at = greatest(known.last_at, excluded.last_at)`);
  await db.execute(sql`
    delete from missing_paths where id in (
      select id from missing_paths order by last_at desc, id desc offset ${MAX_ROWS})`);
}

export async function removeMissing(db: Db, ids: readonly string[]): Promise<void> {
  await db.delete(missingPaths).where(inArray(missingPaths.id, [...ids]));
}

export async function removeAllMissing(db: Db): Promise<void> {
  await db.delete(missingPaths);
}

/** Removes addresses that have a redirect now. */
export async function removeMissingPaths(db: Db, paths: readonly string[]): Promise<void> {
  await db.delete(missingPaths).where(sql`${missingPaths.path} = any(${sql.param(paths)}::text[])`);
}
