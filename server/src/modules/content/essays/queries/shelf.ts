import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { orderWithLimit } from '../../../../db/literal.ts';
import { inOrderOf } from '../../../../db/rows.ts';
import { columns, type EssayRow, essayCounts, essays, essayTags, tags } from '../tables.ts';

/** Changes the total count and that of the category, always in this order to avoid a deadlock. */
async function addToCounts(db: Db, categoryId: string, change: 1 | -1): Promise<void> {
  await db
    .insert(essayCounts)
    .values([
      { key: '', count: change },
      { key: categoryId, count: change },
    ])
    .onConflictDoUpdate({
      target: essayCounts.key,
      set: { count: sql`${essayCounts.count} + excluded.count` },
    });
}

async function addToColumn(db: Db, columnId: string | null, change: 1 | -1): Promise<void> {
  if (columnId === null) return;
  await db
    .update(columns)
    .set({ essayCount: sql`${columns.essayCount} + ${change}` })
    .where(eq(columns.id, columnId));
}

/** Locks in name order, as `addToShelf` does, to avoid a deadlock. */
export async function lockTags(db: Db, names: string[]): Promise<void> {
  if (names.length > 0)
    await db.select().from(tags).where(inArray(tags.name, names)).orderBy(asc(tags.name)).for('update');
}

export type ShelvedRow = Pick<EssayRow, 'id' | 'tags' | 'categoryId' | 'columnId'> & { publishedAt: Date };

export interface TagRow {
  id: string;
  name: string;
  essayCount: number;
}

/** Adds the essay to the tag lists and counts. Returns the changed tags. */
export async function addToShelf(db: Db, essay: ShelvedRow): Promise<TagRow[]> {
  const names = [...essay.tags].sort();
  const counted =
    names.length === 0
      ? []
      : await db
          .insert(tags)
          .values(names.map((name) => ({ name, id: newId(), essayCount: 1 })))
          .onConflictDoUpdate({ target: tags.name, set: { essayCount: sql`${tags.essayCount} + 1` } })
          .returning();
  if (names.length > 0)
    await db
      .insert(essayTags)
      .values(names.map((tag) => ({ tag, publishedAt: essay.publishedAt, essayId: essay.id })));
  await addToCounts(db, essay.categoryId ?? '', 1);
  await addToColumn(db, essay.columnId, 1);
  return counted;
}

export async function removeFromShelf(db: Db, essay: ShelvedRow): Promise<TagRow[]> {
  const names = [...essay.tags].sort();
  await db.delete(essayTags).where(eq(essayTags.essayId, essay.id));
  let counted: TagRow[] = [];
  if (names.length > 0) {
    await lockTags(db, names);
    counted = await db
      .update(tags)
      .set({ essayCount: sql`${tags.essayCount} - 1` })
      .where(inArray(tags.name, names))
      .returning();
  }
  await addToCounts(db, essay.categoryId ?? '', -1);
  await addToColumn(db, essay.columnId, -1);
  return counted;
}

/** Most used first. The number of limits, each of which has its statement, is bounded by the call. */
export function createTopTagsQuery(db: Db): (limit: number) => Promise<TagRow[]> {
  const prepare = (limit: number) =>
    db
      .select()
      .from(tags)
      .where(sql`${tags.essayCount} > 0`)
      .orderBy(orderWithLimit([desc(tags.essayCount), asc(tags.name)], limit))
      .prepare(`top_tags_${limit}`);
  const statements = new Map<number, ReturnType<typeof prepare>>();
  return (limit) => {
    const statement = statements.get(limit) ?? prepare(limit);
    statements.set(limit, statement);
    return statement.execute();
  };
}

/** Keeps the order of the ids. */
export async function listTagsByIds(db: Db, ids: string[]): Promise<TagRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select()
    .from(tags)
    .where(and(inArray(tags.id, ids), gt(tags.essayCount, 0)));
  return inOrderOf(ids, rows, ({ id }) => id);
}

export async function findNextSort(db: Db, columnId: string): Promise<number> {
  const [last] = await db
    .select({ sort: essays.columnSort })
    .from(essays)
    .where(eq(essays.columnId, columnId))
    .orderBy(desc(essays.columnSort))
    .limit(1);
  return (last?.sort ?? 0) + 1;
}

/** Sorts the essays of a column as given; essays that are not given follow. */
export async function sortColumnEssays(db: Db, columnId: string, essayIds: string[]): Promise<void> {
  await db.execute(sql`
    update essays set column_sort = wanted.place
    from unnest(${sql.param(essayIds)}::uuid[]) with ordinality as wanted (id, place)
    where essays.id = wanted.id and essays.column_id = ${columnId}`);
  await db.execute(sql`
    update essays set column_sort = rest.place
    from (
      select id, ${essayIds.length} + row_number() over (order by column_sort, id) as place
      from essays where column_id = ${columnId} and id <> all(${sql.param(essayIds)}::uuid[])
    ) rest
    where essays.id = rest.id`);
}
