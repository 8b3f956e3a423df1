import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { categories } from './tables.ts';

export const categoryRows = createRowQueries(categories, '没有找到这个分类');

export const listCategories = (db: Db, which: 'all' | 'enabled') =>
  db
    .select()
    .from(categories)
    .where(which === 'all' ? undefined : eq(categories.enabled, true))
    .orderBy(asc(categories.sort), asc(categories.id));
