import { CallError } from '@mozhan/contract/errors.ts';
import type { PriceRules, TierKind } from '@mozhan/contract/prices.ts';
import { asc, eq, getTableColumns, max } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { priceRules, priceTiers, type TierRow } from '../tables.ts';

const { single: _, ...rules } = getTableColumns(priceRules);

export const selectRules = (db: Db) => db.select(rules).from(priceRules);

/** Nobody else changes them until the transaction ends. */
export async function lockRules(db: Db): Promise<PriceRules> {
  const [row] = await selectRules(db).for('update');
  if (row === undefined) throw new Error('no price rules');
  return row;
}

export async function updateRules(db: Db, changed: Partial<PriceRules>): Promise<void> {
  await db.update(priceRules).set(changed);
}

/** Of each kind in its order. */
export const selectTiers = (db: Db) =>
  db.select().from(priceTiers).orderBy(asc(priceTiers.kind), asc(priceTiers.sort), asc(priceTiers.amount));

export async function lockTier(db: Db, id: string): Promise<TierRow> {
  const [tier] = await db.select().from(priceTiers).where(eq(priceTiers.id, id)).for('update');
  if (tier === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这一档金额' });
  return tier;
}

export async function findLastSort(db: Db, kind: TierKind): Promise<number> {
  const [last] = await db
    .select({ sort: max(priceTiers.sort) })
    .from(priceTiers)
    .where(eq(priceTiers.kind, kind));
  return last?.sort ?? 0;
}

export async function insertTier(db: Db, tier: TierRow): Promise<void> {
  await db.insert(priceTiers).values(tier);
}

export async function updateTier(db: Db, tier: TierRow): Promise<void> {
  await db.update(priceTiers).set(tier).where(eq(priceTiers.id, tier.id));
}

export async function removeTier(db: Db, id: string): Promise<void> {
  await db.delete(priceTiers).where(eq(priceTiers.id, id));
}
