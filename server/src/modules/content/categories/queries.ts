import { CallError } from '@mozhan/contract/errors.ts';
import { asc, eq, max } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { type Category, categories } from './tables.ts';

/** In order: all of them, or those that readers see. */
export const listCategories = (db: Db, which: 'all' | 'enabled') =>
  db
    .select()
    .from(categories)
    .where(which === 'all' ? undefined : eq(categories.enabled, true))
    .orderBy(asc(categories.sort), asc(categories.id));

/** Nobody else changes it until the transaction ends. */
export async function lockCategory(db: Db, id: string): Promise<Category> {
  const [category] = await db.select().from(categories).where(eq(categories.id, id)).for('update');
  if (category === undefined) throw noCategory();
  return category;
}

export const noCategory = () => new CallError('NOT_FOUND', { message: '没有找到这个分类' });

export async function findLastSort(db: Db): Promise<number> {
  const [last] = await db.select({ sort: max(categories.sort) }).from(categories);
  return last?.sort ?? 0;
}

export async function insertCategory(db: Db, category: Category): Promise<void> {
  await db.insert(categories).values(category);
}

export async function updateCategory(db: Db, category: Category): Promise<void> {
  await db.update(categories).set(category).where(eq(categories.id, category.id));
}

export async function removeCategory(db: Db, id: string): Promise<void> {
  await db.delete(categories).where(eq(categories.id, id));
}
