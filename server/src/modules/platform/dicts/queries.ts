import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { type Dict, type DictItem, dictItems, dicts } from './tables.ts';

export const dictRows = createRowQueries(dicts, '没有找到这个字典');
export const itemRows = createRowQueries(dictItems, '没有找到这个条目');

export const listDicts = (db: Db): Promise<Dict[]> => db.select().from(dicts).orderBy(asc(dicts.code));

const itemOrder = [asc(dictItems.sort), asc(dictItems.id)];

export const listItems = (db: Db, dictId: string): Promise<DictItem[]> =>
  db
    .select()
    .from(dictItems)
    .where(eq(dictItems.dictId, dictId))
    .orderBy(...itemOrder);

export async function listEnabledItems(db: Db, code: string): Promise<DictItem[]> {
  const rows = await db
    .select({ item: dictItems })
    .from(dictItems)
    .innerJoin(dicts, eq(dicts.id, dictItems.dictId))
    .where(and(eq(dicts.code, code), eq(dicts.enabled, true), eq(dictItems.enabled, true)))
    .orderBy(...itemOrder);
  return rows.map((row) => row.item);
}

export async function getItem(db: Db, id: string): Promise<{ item: DictItem; dict: Dict }> {
  const [row] = await db
    .select({ item: dictItems, dict: dicts })
    .from(dictItems)
    .innerJoin(dicts, eq(dicts.id, dictItems.dictId))
    .where(eq(dictItems.id, id));
  if (row === undefined) throw itemRows.notFoundError();
  return row;
}
