import { CallError } from '@mozhan/contract/errors.ts';
import { and, asc, eq, max } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { type Dict, type DictItem, dictItems, dicts } from './tables.ts';

export const noDict = () => new CallError('NOT_FOUND', { message: '没有找到这个字典' });
export const noItem = () => new CallError('NOT_FOUND', { message: '没有找到这个条目' });

export const listDicts = (db: Db): Promise<Dict[]> => db.select().from(dicts).orderBy(asc(dicts.code));

export async function getDict(db: Db, id: string): Promise<Dict> {
  const [dict] = await db.select().from(dicts).where(eq(dicts.id, id));
  if (dict === undefined) throw noDict();
  return dict;
}

/** Nobody else changes it, or what is in it, until the transaction ends. */
export async function lockDict(db: Db, id: string): Promise<Dict> {
  const [dict] = await db.select().from(dicts).where(eq(dicts.id, id)).for('update');
  if (dict === undefined) throw noDict();
  return dict;
}

export const countDicts = (db: Db): Promise<number> => db.$count(dicts);

export async function insertDict(db: Db, dict: Dict): Promise<void> {
  await db.insert(dicts).values(dict);
}

export async function updateDict(db: Db, dict: Dict): Promise<void> {
  await db.update(dicts).set(dict).where(eq(dicts.id, dict.id));
}

export async function removeDict(db: Db, id: string): Promise<void> {
  await db.delete(dicts).where(eq(dicts.id, id));
}

const inOrder = [asc(dictItems.sort), asc(dictItems.id)];

export const listItems = (db: Db, dictId: string): Promise<DictItem[]> =>
  db
    .select()
    .from(dictItems)
    .where(eq(dictItems.dictId, dictId))
    .orderBy(...inOrder);

/** What everyone may see. */
export async function listEnabledItems(db: Db, code: string): Promise<DictItem[]> {
  const rows = await db
    .select({ item: dictItems })
    .from(dictItems)
    .innerJoin(dicts, eq(dicts.id, dictItems.dictId))
    .where(and(eq(dicts.code, code), eq(dicts.enabled, true), eq(dictItems.enabled, true)))
    .orderBy(...inOrder);
  return rows.map((row) => row.item);
}

export async function getItem(db: Db, id: string): Promise<{ item: DictItem; dict: Dict }> {
  const [row] = await db
    .select({ item: dictItems, dict: dicts })
    .from(dictItems)
    .innerJoin(dicts, eq(dicts.id, dictItems.dictId))
    .where(eq(dictItems.id, id));
  if (row === undefined) throw noItem();
  return row;
}

export const countItems = (db: Db, dictId: string): Promise<number> =>
  db.$count(dictItems, eq(dictItems.dictId, dictId));

export async function findLastSort(db: Db, dictId: string): Promise<number> {
  const [last] = await db
    .select({ sort: max(dictItems.sort) })
    .from(dictItems)
    .where(eq(dictItems.dictId, dictId));
  return last?.sort ?? 0;
}

export async function insertItems(db: Db, items: DictItem[]): Promise<void> {
  await db.insert(dictItems).values(items);
}

export async function updateItem(db: Db, item: DictItem): Promise<void> {
  await db.update(dictItems).set(item).where(eq(dictItems.id, item.id));
}

export async function removeItem(db: Db, id: string): Promise<void> {
  await db.delete(dictItems).where(eq(dictItems.id, id));
}
