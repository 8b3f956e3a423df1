import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { tagFollows, tags } from '../tables.ts';
import type { TagRow } from './shelf.ts';

export async function findTag(db: Db, name: string): Promise<TagRow | null> {
  const [tag] = await db.select().from(tags).where(eq(tags.name, name));
  return tag ?? null;
}

/** Serializes the follows of one user until the transaction ends, so that their number is exact. */
export async function lockTagFollows(db: Db, userId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tag follows ${userId}`}, 0))`);
}

export const countTagFollows = (db: Db, userId: string): Promise<number> =>
  db.$count(tagFollows, eq(tagFollows.userId, userId));

const isFollow = (userId: string, tagId: string) =>
  and(eq(tagFollows.userId, userId), eq(tagFollows.tagId, tagId));

export const isTagFollowed = async (db: Db, userId: string, tagId: string): Promise<boolean> =>
  (await db.$count(tagFollows, isFollow(userId, tagId))) > 0;

export async function insertTagFollow(db: Db, follow: typeof tagFollows.$inferInsert): Promise<void> {
  await db.insert(tagFollows).values(follow).onConflictDoNothing();
}

export async function removeTagFollow(db: Db, userId: string, tagId: string): Promise<void> {
  await db.delete(tagFollows).where(isFollow(userId, tagId));
}

/** Returns the names of the tags. */
export async function removeTagFollowsOf(db: Db, userId: string): Promise<string[]> {
  const removed = await db.delete(tagFollows).where(eq(tagFollows.userId, userId)).returning();
  if (removed.length === 0) return [];
  const rows = await db
    .select({ name: tags.name })
    .from(tags)
    .where(
      inArray(
        tags.id,
        removed.map(({ tagId }) => tagId),
      ),
    );
  return rows.map(({ name }) => name);
}

/** Followers of renamed tags follow the new one; those of a removed tag none. */
export async function moveTagFollows(db: Db, names: string[], to: string | null): Promise<void> {
  const isFormer = sql`tag_id in (select id from tags where name = any(${sql.param(names)}::text[]))`;
  if (to !== null) {
    await db.execute(sql`
      insert into tags (name, id, essay_count) select ${to}, ${newId()}, 0
      where exists (select 1 from tag_follows where ${isFormer}) on conflict do nothing`);
    await db.execute(sql`
      insert into tag_follows (user_id, tag_id, created_at)
      select user_id, (select id from tags where name = ${to}), min(created_at) from tag_follows
      where ${isFormer} group by user_id on conflict do nothing`);
  }
  await db.execute(sql`delete from tag_follows where ${isFormer}`);
}

export interface FollowedTagRow {
  tag: TagRow;
  createdAt: Date;
}

export const listFollowedTags = (
  db: Db,
  query: PageQuery & { userId: string; tagId: string | null },
): Promise<Page<FollowedTagRow>> =>
  listPage(db, query, {
    select: db
      .select({ tag: tags, createdAt: tagFollows.createdAt })
      .from(tagFollows)
      .innerJoin(tags, eq(tags.id, tagFollows.tagId)),
    match: and(
      eq(tagFollows.userId, query.userId),
      query.tagId === null ? undefined : eq(tagFollows.tagId, query.tagId),
    ),
    by: tagFollows.createdAt,
    id: tagFollows.tagId,
    key: ({ tag, createdAt }) => [createdAt, tag.id],
  });
