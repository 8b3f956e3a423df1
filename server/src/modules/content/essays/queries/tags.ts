import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { escapeLike } from '../../../../db/keyword.ts';
import { mapPage, type PageQuery, readPage } from '../../../../db/page.ts';
import { parseRow, parseRows } from '../../../../db/rows.ts';
import { keysetOrder } from '../../../../db/sort.ts';
import {
  type EssayRow,
  essays,
  essayTags,
  essayTexts,
  type TagAliasRow,
  tagAliases,
  tagFollows,
  tags,
} from '../tables.ts';
import type { TagRow } from './shelf.ts';

const NAMES_LOCK = 0x74616773;
const RETAG_LOCK = 0x6d6f7665;

/** Shared lock: prevents renames of tags until the transaction ends. */
export async function lockTagNamesShared(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock_shared(${NAMES_LOCK})`);
}

/** Exclusive lock: waits until no transaction shelves essays under an old name. */
export async function lockTagNames(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${NAMES_LOCK})`);
}

const lockedRow = z.object({ locked: z.boolean() });

/** Returns false if another process is changing essays. */
export async function tryLockRetagging(db: Db): Promise<boolean> {
  const result = await db.execute(sql`select pg_try_advisory_xact_lock(${RETAG_LOCK}) as locked`);
  return parseRow(lockedRow, result).locked;
}

/** Replaces renamed tags, drops removed ones and removes duplicates. */
export async function resolveTagAliases(db: Db, names: string[]): Promise<string[]> {
  if (names.length === 0) return names;
  const rows = await db.select().from(tagAliases).where(inArray(tagAliases.name, names));
  const known = new Map(rows.map((row) => [row.name, row.toName]));
  const resolved = names.map((name) => (known.has(name) ? known.get(name) : name));
  return [...new Set(resolved.filter((name) => name !== null && name !== undefined))];
}

export const listAliases = (db: Db, names: string[]): Promise<TagAliasRow[]> =>
  names.length === 0
    ? Promise.resolve([])
    : db.select().from(tagAliases).where(inArray(tagAliases.name, names));

export const listTagsByNames = (db: Db, names: string[]): Promise<TagRow[]> =>
  db.select().from(tags).where(inArray(tags.name, names));

/** Redirects the names and the aliases that pointed to them. */
export async function insertAliases(
  db: Db,
  names: string[],
  toName: string | null,
  now: Date,
): Promise<void> {
  if (toName !== null) {
    await db.delete(tagAliases).where(eq(tagAliases.name, toName));
    await db.update(tagAliases).set({ toName }).where(inArray(tagAliases.toName, names));
  } else {
    await db.delete(tagAliases).where(and(inArray(tagAliases.toName, names), eq(tagAliases.pending, false)));
    await db.update(tagAliases).set({ toName }).where(inArray(tagAliases.toName, names));
  }
  const first = '0'.repeat(32);
  await db
    .insert(tagAliases)
    .values(names.map((name) => ({ name, toName, pending: true, position: first, createdAt: now })));
}

/** Locks the oldest alias with essays left to change. */
export async function findPendingAlias(db: Db): Promise<TagAliasRow | null> {
  const [alias] = await db
    .select()
    .from(tagAliases)
    .where(eq(tagAliases.pending, true))
    .orderBy(asc(tagAliases.createdAt), asc(tagAliases.name))
    .limit(1)
    .for('update');
  return alias ?? null;
}

export async function updateAliasPosition(db: Db, name: string, position: string): Promise<void> {
  await db.update(tagAliases).set({ position }).where(eq(tagAliases.name, name));
}

/** All essays are changed: a renamed tag keeps its redirect, a removed name becomes free again. */
export async function completeAlias(db: Db, { name, toName }: TagAliasRow): Promise<void> {
  if (toName === null) await db.delete(tagAliases).where(eq(tagAliases.name, name));
  else await db.update(tagAliases).set({ pending: false }).where(eq(tagAliases.name, name));
}

/** Deletes tags without essays on the shelf, except those that are followed or still being renamed. */
export const deleteUnusedTags = (db: Db, names: string[]): Promise<TagRow[]> =>
  db
    .delete(tags)
    .where(
      and(
        inArray(tags.name, names),
        eq(tags.essayCount, 0),
        sql`not exists (select 1 from ${tagAliases} where ${tagAliases.name} = ${tags.name} and ${tagAliases.pending})`,
        sql`not exists (select 1 from ${tagFollows} where ${tagFollows.tagId} = ${tags.id})`,
      ),
    )
    .returning();

export async function listShelvedIds(db: Db, tag: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: essayTags.essayId })
    .from(essayTags)
    .where(eq(essayTags.tag, tag))
    .orderBy(desc(essayTags.publishedAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

const scannedRow = z.object({ id: z.string(), has: z.boolean() });

/** Scans the next essays in id order. Returns those with the tag in any version, and the last id scanned. */
export async function scanEssays(
  db: Db,
  { tag, after, limit }: { tag: string; after: string; limit: number },
): Promise<{ ids: string[]; last: string | null }> {
  const result = await db.execute(sql`
    select id, tags @> array[${tag}] or exists (
      select 1 from essay_revisions where essay_id = next.id and fields -> 'tags' ? ${tag}) as has
    from (select id, tags from ${essays} where id > ${after}::uuid order by id limit ${limit}) as next
    order by id`);
  const rows = parseRows(scannedRow, result);
  return {
    ids: rows.filter((row) => row.has).map((row) => row.id),
    last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  };
}

export const lockEssays = (db: Db, ids: string[]): Promise<EssayRow[]> =>
  db.select().from(essays).where(inArray(essays.id, ids)).orderBy(asc(essays.id)).for('update');

/** Replaces or removes a tag in the essays and in all their versions, without creating duplicates. */
export async function replaceTag(db: Db, ids: string[], tag: string, to: string | null): Promise<void> {
  const list = sql`${sql.param(ids)}::uuid[]`;
  const replaced = sql`case when old = ${tag} then ${to}::text else old end`;
  await db.execute(sql`
    update essays set tags = coalesce((
      select array_agg(name order by place) from (
        select name, min(place) as place
        from (select ${replaced} as name, place from unnest(tags) with ordinality as had (old, place)) as renamed
        where name is not null group by name) as kept), '{}')
    where id = any(${list}) and tags @> array[${tag}]`);
  await db.execute(sql`
    update essay_revisions set fields = jsonb_set(fields, '{tags}', coalesce((
      select jsonb_agg(name order by place) from (
        select name, min(place) as place
        from (select ${replaced} as name, place
          from jsonb_array_elements_text(fields -> 'tags') with ordinality as had (old, place)) as renamed
        where name is not null group by name) as kept), '[]'))
    where essay_id = any(${list}) and fields -> 'tags' ? ${tag}`);
}

const movedRow = z.object({ essay_id: z.string() });

/** Moves the rows of `essay_tags` and updates the counts. Returns both tags. */
export async function moveTagRows(
  db: Db,
  ids: string[],
  tag: string,
  to: string | null,
  newId: string,
): Promise<TagRow[]> {
  const list = sql`${sql.param(ids)}::uuid[]`;
  // Uses the full primary key, because a tag may have a hundred thousand rows.
  const deleted = await db.execute(sql`
    delete from essay_tags using essays
    where essays.id = any(${list}) and tag = ${tag} and essay_tags.published_at = essays.published_at
      and essay_id = essays.id
    returning essay_id`);
  const moved = parseRows(movedRow, deleted).map((row) => row.essay_id);
  const { rowCount } =
    to === null
      ? { rowCount: 0 }
      : await db.execute(sql`
          insert into essay_tags (tag, published_at, essay_id)
          select ${to}, published_at, id from essays where id = any(${sql.param(moved)}::uuid[])
          on conflict do nothing`);
  const added = rowCount ?? 0;
  const changed = await db
    .update(tags)
    .set({ essayCount: sql`${tags.essayCount} - ${moved.length}` })
    .where(eq(tags.name, tag))
    .returning();
  if (to === null) return changed;
  const target = await db
    .insert(tags)
    .values({ name: to, id: newId, essayCount: added })
    .onConflictDoUpdate({
      target: tags.name,
      set: { essayCount: sql`${tags.essayCount} + ${added}` },
    })
    .returning();
  return [...changed, ...target];
}

export async function listShelvedTexts(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: essays.id, text: essayTexts.text })
    .from(essays)
    .innerJoin(
      essayTexts,
      and(eq(essayTexts.essayId, essays.id), eq(essayTexts.version, essays.shelvedVersion)),
    )
    .where(inArray(essays.id, ids));
  return new Map(rows.map((row) => [row.id, row.text]));
}

const beginsWith = (keyword: string): SQL =>
  sql`lower(${tags.name}) like ${`${escapeLike(keyword.toLowerCase())}%`}`;

export interface StaffTagRow extends TagRow {
  aliases: string[];
  moving: { to: string | null } | null;
}

export async function listStaffTags(
  db: Db,
  query: PageQuery & { keyword?: string | undefined; byName: boolean; isDescending: boolean },
): Promise<Page<StaffTagRow>> {
  const match = query.keyword ? beginsWith(query.keyword) : undefined;
  const { byName, isDescending } = query;
  const byCount = keysetOrder({ by: tags.essayCount, id: tags.id, isDescending });
  const [direction, compare] = isDescending ? [desc, lt] : [asc, gt];
  const page = await readPage(query, {
    rows: ({ after, offset, limit }) =>
      // Reads tag and alias in one statement, because the retag job removes both at the same time.
      db
        .select({ tag: tags, alias: tagAliases })
        .from(tags)
        .leftJoin(tagAliases, eq(tagAliases.name, tags.name))
        .where(
          and(
            match,
            byName
              ? after === null
                ? undefined
                : compare(tags.name, after[0] ?? '')
              : byCount.afterCursor(after),
          ),
        )
        .orderBy(...(byName ? [direction(tags.name)] : byCount.order))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(tags, match),
    key: ({ tag }) => [byName ? tag.name : String(tag.essayCount), tag.id],
    parts: [byName ? 'text' : 'bigint'],
  });
  const names = page.list.map(({ tag }) => tag.name);
  const aliases =
    names.length === 0 ? [] : await db.select().from(tagAliases).where(inArray(tagAliases.toName, names));
  const aliasesByTarget = Map.groupBy(aliases, (alias) => alias.toName);
  return mapPage(page, ({ tag, alias }) => ({
    ...tag,
    aliases: (aliasesByTarget.get(tag.name) ?? []).map((each) => each.name).sort(),
    moving: alias === null ? null : { to: alias.toName },
  }));
}

export const tagNotFound = (name: string) => new CallError('NOT_FOUND', { message: `没有标签「${name}」` });
