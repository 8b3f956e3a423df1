import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import { and, asc, eq, getTableColumns, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import {
  containsKeyword,
  MAX_COUNTED_ROWS,
  MAX_SCANNED_ROWS,
  startsWithKeyword,
} from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { countRow, parseRow, parseRows } from '../../../../db/rows.ts';
import { essays } from '../../essays/tables.ts';
import { pages } from '../../site/tables.ts';
import type { Address } from '../rules/addresses.ts';
import { type RedirectRow, redirects } from '../tables.ts';

export const redirectRows = createRowQueries(redirects, '没有找到这条跳转');

/** Serializes changes until the transaction ends, so that two of them cannot form a loop. */
export async function lockRedirects(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('redirects'))`);
}

export interface RedirectWithEssay {
  redirect: RedirectRow;
  essay: { id: string; slug: string | null; title: string; deletedAt: Date | null } | null;
}

const select = (db: Db) =>
  db
    .select({
      redirect: getTableColumns(redirects),
      essay: { id: essays.id, slug: essays.slug, title: essays.title, deletedAt: essays.deletedAt },
    })
    .from(redirects)
    .leftJoin(essays, eq(essays.id, redirects.essayId));

export async function getRedirect(db: Db, id: string): Promise<RedirectWithEssay> {
  const [row] = await select(db).where(eq(redirects.id, id));
  if (row === undefined) throw redirectRows.notFoundError();
  return row;
}

interface RedirectQuery extends PageQuery {
  keyword?: string | undefined;
  sort?: 'createdAt' | 'hits' | 'lastHitAt' | undefined;
  order?: SortOrder | undefined;
}

const sortColumns = {
  createdAt: redirects.createdAt,
  hits: redirects.hits,
  lastHitAt: redirects.lastHitAt,
};

/** Finds all paths that begin with the keyword, and the newest redirects that contain it. */
const matchesKeyword = (keyword: string): SQL => sql`${redirects.id} in (
  select ${redirects.id} from ${redirects} where ${startsWithKeyword(sql`lower(${redirects.path})`, keyword)}
  union
  select newest.id from (
    select * from ${redirects} order by created_at desc, id desc limit ${MAX_SCANNED_ROWS}
  ) as newest
  where ${containsKeyword(sql`concat(newest.path, '?', newest.query, ' ', newest.target)`, keyword)})`;

export function listRedirects(db: Db, query: RedirectQuery): Promise<Page<RedirectWithEssay>> {
  const { keyword, sort = 'createdAt', order = SORT_ORDER.descending } = query;
  const column = sortColumns[sort];
  return listPage(db, query, {
    select: select(db),
    match: keyword ? matchesKeyword(keyword) : undefined,
    by: column,
    id: redirects.id,
    isDescending: order === SORT_ORDER.descending,
    key: ({ redirect }) => [redirect[sort], redirect.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}

/** In the order of ids, which is that of creation. */
export const listAfter = (db: Db, after: string | null, limit: number): Promise<RedirectWithEssay[]> =>
  select(db)
    .where(after === null ? undefined : gt(redirects.id, after))
    .orderBy(asc(redirects.id))
    .limit(limit);

const param = (texts: readonly string[]) => sql`${sql.param(texts)}::text[]`;

/** Redirects for these addresses with the same parameters, or for all parameters. */
export const listByAddresses = (db: Db, addresses: readonly Address[]): Promise<RedirectRow[]> =>
  db
    .select()
    .from(redirects)
    .where(
      sql`(${redirects.path}, ${redirects.query}) in (
        select path, unnest(array[query, '']) from unnest(
          ${param(addresses.map(({ path }) => path))}, ${param(addresses.map(({ query }) => query))}
        ) as wanted (path, query))`,
    );

export const listByTargetPaths = (db: Db, paths: readonly string[], limit: number): Promise<RedirectRow[]> =>
  db
    .select()
    .from(redirects)
    .where(sql`${redirects.targetPath} = any(${param(paths)})`)
    .limit(limit);

type NewRow = Omit<RedirectRow, 'hits' | 'lastHitAt'> & Partial<Pick<RedirectRow, 'hits' | 'lastHitAt'>>;

/** Replaces the destination of redirects that exist already; counts stay. */
export async function upsertRedirects(db: Db, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const json = rows.map((row) => ({
    id: row.id,
    path: row.path,
    query: row.query,
    target: row.target,
    target_path: row.targetPath,
    essay_id: row.essayId,
    transfer_id: row.transferId,
    hits: row.hits ?? 0,
    last_hit_at: (row.lastHitAt ?? new Date(0)).toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
  await db.execute(sql`
    insert into redirects
    select * from jsonb_populate_recordset(null::redirects, ${JSON.stringify(json)}::jsonb)
    on conflict (path, query) do update set
      target = excluded.target, target_path = excluded.target_path, essay_id = excluded.essay_id,
      transfer_id = excluded.transfer_id, updated_at = excluded.updated_at`);
}

export async function removeRedirects(db: Db, ids: readonly string[]): Promise<RedirectRow[]> {
  return db
    .delete(redirects)
    .where(inArray(redirects.id, [...ids]))
    .returning();
}

export async function removeByPath(db: Db, path: string): Promise<void> {
  await db.delete(redirects).where(eq(redirects.path, path));
}

export async function removeByTransfer(db: Db, transferId: string): Promise<number> {
  const result = await db.execute(sql`
    with removed as (delete from redirects where transfer_id = ${transferId} returning 1)
    select count(*)::int as count from removed`);
  return parseRow(countRow, result).count;
}

export interface EssayAddressRow {
  id: string;
  slug: string | null;
  deletedAt: Date | null;
}

/** The essays that have one of these ids or slugs. */
export const listEssays = (
  db: Db,
  ids: readonly string[],
  slugs: readonly string[],
): Promise<EssayAddressRow[]> =>
  db
    .select({ id: essays.id, slug: essays.slug, deletedAt: essays.deletedAt })
    .from(essays)
    .where(
      or(sql`${essays.id} = any(${sql.param(ids)}::uuid[])`, and(sql`${essays.slug} = any(${param(slugs)})`)),
    );

const foundRow = z.object({
  asked: z.int(),
  id: z.string(),
  query: z.string(),
  target: z.string().nullable(),
  essay_id: z.string().nullable(),
  slug: z.string().nullable(),
  deleted: z.boolean(),
  /** Leads to an essay that was never public, or to a page that is not. */
  hidden: z.boolean(),
});
export type FoundRow = z.output<typeof foundRow>;

/** The redirect of each address, by its position in the list; one with the same parameters comes first. */
export async function findForAddresses(
  db: Db,
  addresses: readonly Address[],
): Promise<Map<number, FoundRow>> {
  const result = await db.execute(sql`
    select asked.number::int as asked, found.* from unnest(
      ${param(addresses.map(({ path }) => path))}, ${param(addresses.map(({ query }) => query))}
    ) with ordinality as asked (path, query, number)
    cross join lateral (
      select redirects.id, redirects.query, target, replace(essay_id::text, '-', '') as essay_id, slug,
        deleted_at is not null as deleted,
        (essays.id is not null and essays.published_at is null) or exists (
          select from ${pages}
          where not published and slug = substring(target_path from '^/page/(.+)[.]html$')
        ) as hidden
      from redirects left join ${essays} on essays.id = redirects.essay_id
      where redirects.path = asked.path and redirects.query in (asked.query, '')
      order by redirects.query desc limit 1
    ) found`);
  return new Map(parseRows(foundRow, result).map((row) => [row.asked - 1, row]));
}

export interface HitCount {
  id: string;
  hits: number;
  lastAt: Date;
}

/** Locks the rows in the order of ids, so that processes that count the same redirects cannot deadlock. */
export async function addHits(db: Db, counts: readonly HitCount[]): Promise<void> {
  await db.execute(sql`
    with counted as (
      select * from unnest(
        ${sql.param(counts.map(({ id }) => id))}::uuid[], ${sql.param(counts.map(({ hits }) => hits))}::bigint[],
        ${sql.param(counts.map(({ lastAt }) => lastAt.toISOString()))}::timestamptz[]
      ) as t (id, hits, last_at)
    ), locked as (
      select redirects.id from redirects where redirects.id in (select counted.id from counted)
      order by redirects.id for no key update
    )
    update redirects set hits = redirects.hits + counted.hits, last_hit_at = greatest(last_hit_at, counted.last_at)
    from counted, locked where redirects.id = counted.id and locked.id = counted.id`);
}
