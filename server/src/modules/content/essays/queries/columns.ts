import type { listStaffColumns } from '@mozhan/contract/columns.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
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
import { inOrderOf } from '../../../../db/rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type ColumnRow, columns, essays } from '../tables.ts';

export interface ColumnCard {
  column: ColumnRow;
  author: User;
}

export const columnRows = createRowQueries(columns, '没有找到这个专栏');

const selectColumns = (db: Db) =>
  db
    .select({ column: columns, author: users })
    .from(columns)
    .innerJoin(users, eq(users.id, columns.authorId));

export async function getColumn(db: Db, id: string): Promise<ColumnCard> {
  const [row] = await selectColumns(db).where(eq(columns.id, id));
  if (row === undefined) throw columnRows.notFoundError();
  return row;
}

/** Keeps the order of the ids. */
export async function listColumnsByIds(db: Db, ids: string[]): Promise<ColumnCard[]> {
  if (ids.length === 0) return [];
  const rows = await selectColumns(db).where(inArray(columns.id, ids));
  return inOrderOf(ids, rows, ({ column }) => column.id);
}

/** Locks in id order, and before the column itself, to avoid a deadlock. */
export async function lockColumnEssays(db: Db, columnId: string): Promise<void> {
  await db
    .select({ id: essays.id })
    .from(essays)
    .where(eq(essays.columnId, columnId))
    .orderBy(essays.id)
    .for('no key update');
}

/** Newest first. */
export function listColumns(db: Db, query: PageQuery & { authorId: string }): Promise<Page<ColumnCard>> {
  return listPage(db, query, {
    select: selectColumns(db),
    match: eq(columns.authorId, query.authorId),
    id: columns.id,
    key: ({ column }) => [column.id],
  });
}

/** Matches the beginning of a name by index, and any part of a name among the newest columns only. */
const nameMatches = (keyword: string): SQL => sql`${columns.id} in (
  select ${columns.id} from ${columns} where ${startsWithKeyword(sql`lower(${columns.name})`, keyword)}
  union
  select newest.id from (
    select ${columns.id}, ${columns.name} from ${columns} order by ${columns.id} desc limit ${MAX_SCANNED_ROWS}
  ) as newest where ${containsKeyword(sql`newest.name`, keyword)})`;

/** Newest first by default. */
export function listAllColumns(
  db: Db,
  query: z.output<typeof listStaffColumns.input>,
): Promise<Page<ColumnCard>> {
  const { keyword, authorId, priced, sort, order } = query;
  const match = and(
    keyword ? nameMatches(keyword) : undefined,
    authorId === undefined ? undefined : eq(columns.authorId, authorId),
    priced === undefined ? undefined : sql`${columns.price} ${sql.raw(priced === FLAG.on ? '>' : '=')} 0`,
  );
  return listPage(db, query, {
    select: selectColumns(db),
    match,
    by: sort === 'essayCount' ? columns.essayCount : null,
    id: columns.id,
    isDescending: sort === undefined || order === SORT_ORDER.descending,
    key: ({ column }) => [column.essayCount, column.id],
    maxCounted: MAX_COUNTED_ROWS,
  });
}

export const countColumns = (db: Db, authorId: string): Promise<number> =>
  db.$count(columns, eq(columns.authorId, authorId));

export async function listEssayIds(db: Db, columnId: string): Promise<string[]> {
  const rows = await db.select({ id: essays.id }).from(essays).where(eq(essays.columnId, columnId));
  return rows.map((row) => row.id);
}
