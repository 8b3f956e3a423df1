import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { plainRows } from '../../../db/plain-rows.ts';
import { categories } from './tables.ts';

export const categoryRows = plainRows(categories, '没有找到这个分类');

/** In order: all of them, or those that readers see. */
export const listCategories = (db: Db, which: 'all' | 'enabled') =>
  db
    .select()
    .from(categories)
    .where(which === 'all' ? undefined : eq(categories.enabled, true))
    .orderBy(asc(categories.sort), asc(categories.id));
