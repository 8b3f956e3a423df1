import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { RecommendReason } from '@mozhan/contract/essays.ts';
import { and, desc, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal, orderWithLimit } from '../../../../db/literal.ts';
import { idRow, parseRows, timestamp } from '../../../../db/rows.ts';
import { blocks, follows } from '../../../accounts/users/tables.ts';
import { essays } from '../tables.ts';

const onShelf = sql`essays.status = ${literal(ESSAY_STATUS.onShelf)}`;

const hotRow = z.object({ id: z.string(), authorId: z.string(), score: z.number() });
export type HotRow = z.output<typeof hotRow>;

/** A position in the order of the scores; both parts come from a cursor. */
export interface HotPosition {
  score: string;
  id: string;
}

/** The next essays in the order of their scores, with what their order depends on; read from the index alone. */
export async function listHotIds(
  db: Db,
  query: {
    after: HotPosition;
    offset: number;
    limit: number;
    categoryId: string | null;
    excluded: readonly string[];
  },
): Promise<HotRow[]> {
  const { after, offset, limit, categoryId, excluded } = query;
  const result = await db.execute(sql`
    select id, author_id as "authorId", hot_score as score from essays
    where ${onShelf} and (hot_score, id) < (${after.score}::float8, ${after.id}::uuid)
      ${categoryId === null ? sql`` : sql`and category_id = ${categoryId}`}
      ${excluded.length === 0 ? sql`` : sql`and id <> all(${sql.param(excluded)}::uuid[])`}
    order by hot_score desc, id desc offset ${offset} limit ${limit}`);
  return parseRows(hotRow, result);
}

/** The same for the whole site, without an offset. */
export function createHotIdsQuery(
  db: Db,
  limit: number,
): (query: { after: HotPosition; excluded: readonly string[] }) => Promise<HotRow[]> {
  const query = db
    .select({ id: essays.id, authorId: essays.authorId, score: essays.hotScore })
    .from(essays)
    .where(
      and(
        onShelf,
        sql`(${essays.hotScore}, ${essays.id}) < (${sql.placeholder('score')}::float8, ${sql.placeholder('id')}::uuid)`,
        sql`${essays.id} <> all(${sql.placeholder('excluded')}::uuid[])`,
      ),
    )
    .orderBy(orderWithLimit([desc(essays.hotScore), desc(essays.id)], limit))
    .prepare('hot_ids');
  return ({ after, excluded }) => query.execute({ ...after, excluded });
}

const isUnread = (userId: string): SQL =>
  sql`not exists (select 1 from essay_history where user_id = ${userId} and essay_id = essays.id)`;

/** Not the reader's own, and not of somebody whom they blocked. */
const isOfOthers = (userId: string): SQL => sql`essays.author_id <> ${userId} and not exists (
  select 1 from ${blocks} where user_id = ${userId} and blocked_id = essays.author_id)`;

/** Of these essays, those that the reader has not read. */
export async function listUnreadIds(db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const result = await db.execute(sql`
    select id from essays where id = any(${sql.param(ids)}::uuid[]) and ${isUnread(userId)}`);
  return new Set(parseRows(idRow, result).map(({ id }) => id));
}

/** Of these essays, those that the reader has not read and that are not from a followed author, column or tag. */
export async function listUnknownIds(db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const result = await db.execute(sql`
    select id from essays where id = any(${sql.param(ids)}::uuid[]) and ${isUnread(userId)} and ${isOfOthers(userId)}
      and not exists (select 1 from ${follows} where follower_id = ${userId} and user_id = essays.author_id)
      and not exists (select 1 from column_follows where user_id = ${userId} and column_id = essays.column_id)
      and not exists (
        select 1 from tag_follows join tags on tags.id = tag_follows.tag_id
        where tag_follows.user_id = ${userId} and tags.name = any(essays.tags))`);
  return new Set(parseRows(idRow, result).map(({ id }) => id));
}

const followedRow = z.object({
  id: z.string(),
  publishedAt: timestamp,
  kind: z.enum(['author', 'column', 'tag']),
  name: z.string(),
});

export interface FollowedRow {
  id: string;
  publishedAt: Date;
  reason: RecommendReason;
}

/**
 * Unread essays of followed authors, columns and tags, newest first. Reads the newest of each of them by index, then merges these:
 * the cost depends on how much the reader follows and has read, not on the number of essays or the depth of the page.
 */
export async function listFollowedIds(
  db: Db,
  query: {
    userId: string;
    after: { publishedAt: string; id: string } | null;
    excluded: readonly string[];
    limit: number;
  },
): Promise<FollowedRow[]> {
  const { userId, after, limit } = query;
  const excluded = sql`${sql.param(query.excluded)}::uuid[]`;
  const isNext = (publishedAt: SQL, id: SQL) =>
    after === null
      ? sql`true`
      : sql`(${publishedAt}, ${id}) < (${after.publishedAt}::timestamptz, ${after.id}::uuid)`;
  const isWanted = sql`${isUnread(userId)} and essays.id <> all(${excluded})`;
  const inEssays = isNext(sql`essays.published_at`, sql`essays.id`);
  const result = await db.execute(sql`
    select distinct on (published_at, id) id, published_at as "publishedAt", kind, name from (
      select newest.id, newest.published_at, 1 as rank, 'author' as kind, '' as name
      from ${follows} cross join lateral (
        select id, published_at from essays
        where author_id = follows.user_id and ${onShelf} and ${inEssays} and ${isWanted}
        order by published_at desc, id desc limit ${limit}) as newest
      where follows.follower_id = ${userId}
      union all
      select newest.id, newest.published_at, 2, 'column', columns.name
      from column_follows join columns on columns.id = column_follows.column_id cross join lateral (
        select id, published_at from essays
        where column_id = column_follows.column_id and ${onShelf} and ${inEssays} and ${isWanted}
          and ${isOfOthers(userId)}
        order by published_at desc, id desc limit ${limit}) as newest
      where column_follows.user_id = ${userId}
      union all
      select newest.id, newest.published_at, 3, 'tag', tags.name
      from tag_follows join tags on tags.id = tag_follows.tag_id cross join lateral (
        select essays.id, essay_tags.published_at from essay_tags join essays on essays.id = essay_tags.essay_id
        where essay_tags.tag = tags.name and ${isNext(sql`essay_tags.published_at`, sql`essay_tags.essay_id`)}
          and ${onShelf} and ${isWanted} and ${isOfOthers(userId)}
        order by essay_tags.published_at desc, essay_tags.essay_id desc limit ${limit}) as newest
      where tag_follows.user_id = ${userId}
    ) as followed
    order by published_at desc, id desc, rank, name limit ${limit}`);
  return parseRows(followedRow, result).map(({ id, publishedAt, kind, name }) => ({
    id,
    publishedAt,
    reason: { kind, name },
  }));
}
