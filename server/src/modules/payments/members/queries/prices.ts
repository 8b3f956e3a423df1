import type { PriceRules } from '@mozhan/contract/prices.ts';
import { asc, getTableColumns } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { priceRules, priceTiers } from '../tables.ts';

const { single: _, ...rules } = getTableColumns(priceRules);

export const selectRules = (db: Db) => db.select(rules).from(priceRules);

export async function lockRules(db: Db): Promise<PriceRules> {
  const [row] = await selectRules(db).for('update');
  if (row === undefined) throw new Error('no price rules');
  return row;
}

export async function updateRules(db: Db, changed: Partial<PriceRules>): Promise<void> {
  await db.update(priceRules).set(changed);
}

export const tierRows = createRowQueries(priceTiers, '没有找到这一档金额');

export const selectTiers = (db: Db) =>
  db.select().from(priceTiers).orderBy(asc(priceTiers.kind), asc(priceTiers.sort), asc(priceTiers.amount));
