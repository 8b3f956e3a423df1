import type { listStaffColumns } from '@mozhan/contract/columns.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { FLAG, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { beginsWith, has, LOOKED_THROUGH, MOST_COUNTED } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { plainRows } from '../../../../db/plain-rows.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { type ColumnRow, columns, essays } from '../tables.ts';

export interface ColumnCard {
  column: ColumnRow;
  author: User;
}

export const columnRows = plainRows(columns, '没有找到这个专栏');

const selectColumns = (db: Db) =>
  db
    .select({ column: columns, author: users })
    .from(columns)
    .innerJoin(users, eq(users.id, columns.authorId));

export async function getColumn(db: Db, id: string): Promise<ColumnCard> {
  const [row] = await selectColumns(db).where(eq(columns.id, id));
  if (row === undefined) throw columnRows.missing();
  return row;
}

/** In one order, before the column itself. */
export async function lockEssaysOf(db: Db, columnId: string): Promise<void> {
  await db
    .select({ id: essays.id })
    .from(essays)
    .where(eq(essays.columnId, columnId))
    .orderBy(essays.id)
    .for('no key update');
}

/** An author's, the newest first. */
export function listColumns(db: Db, query: PageQuery & { authorId: string }): Promise<Page<ColumnCard>> {
  return listPage(db, query, {
    select: selectColumns(db),
    match: eq(columns.authorId, query.authorId),
    id: columns.id,
    key: ({ column }) => [column.id],
  });
}

/** By the beginning of the name, which an index finds, and by any part of it among the newest. */
const named = (keyword: string): SQL => sql`${columns.id} in (
  select ${columns.id} from ${columns} where ${beginsWith(sql`lower(${columns.name})`, keyword)}
  union
  select newest.id from (
    select ${columns.id}, ${columns.name} from ${columns} order by ${columns.id} desc limit ${LOOKED_THROUGH}
  ) as newest where ${has(sql`newest.name`, keyword)})`;

/** Everyone's, the newest first unless it is said otherwise. */
export function listAllColumns(
  db: Db,
  query: z.output<typeof listStaffColumns.input>,
): Promise<Page<ColumnCard>> {
  const { keyword, authorId, priced, sort, order } = query;
  const match = and(
    keyword ? named(keyword) : undefined,
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
    maxCounted: MOST_COUNTED,
  });
}

export const countColumns = (db: Db, authorId: string): Promise<number> =>
  db.$count(columns, eq(columns.authorId, authorId));

/** Whose pages name the column. */
export async function listEssayIds(db: Db, columnId: string): Promise<string[]> {
  const rows = await db.select({ id: essays.id }).from(essays).where(eq(essays.columnId, columnId));
  return rows.map((row) => row.id);
}
