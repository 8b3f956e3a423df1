import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/prices.ts';
import type { PayBy, PriceRules } from '@mozhan/contract/prices.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { nextSortValue } from '../../../../db/sort-position.ts';
import * as queries from '../queries/prices.ts';
import { canSeeDisabledTiers, checkAmount, checkRules, isOffered } from '../rules/prices.ts';
import { priceTiers, type TierRow } from '../tables.ts';

const findRules = createLookup((db) => {
  const rules = queries.selectRules(db).prepare('price_rules');
  return async (keys) => {
    const [row] = await rules.execute();
    return new Map(row === undefined ? [] : keys.map((key) => [key, row]));
  };
});

export async function getPriceRules(ctx: Ctx): Promise<PriceRules> {
  addPageTags(ctx, 'prices');
  const rules = await findRules(ctx, 'rules');
  if (rules === null) throw new Error('no price rules');
  return rules;
}

export interface PriceSettings {
  rules: PriceRules;
  tiers: TierRow[];
  payBy: PayBy[];
}

/** The balance is always available. */
const listPayBy = ({ services: { providers } }: Ctx): PayBy[] => [
  'balance',
  ...(['alipay', 'wechat', 'sandbox'] as const).filter((name) => providers[name] !== undefined),
];

export async function getPrices(ctx: Ctx): Promise<PriceSettings> {
  const rules = await getPriceRules(ctx);
  const tiers = await queries.selectTiers(ctx.db);
  return {
    rules,
    tiers: canSeeDisabledTiers(ctx.viewer) ? tiers : tiers.filter((tier) => isOffered(tier, rules)),
    payBy: listPayBy(ctx),
  };
}

const loggedTiers = loggedRows(queries.tierRows, {
  noun: 'price',
  toLog: ({ id: _, ...fields }) => fields,
  onChange: (ctx) => invalidate(ctx, 'prices'),
});

export const createTier = (
  ctx: Ctx,
  { kind, amount, sort, enabled }: z.output<typeof calls.createTier.input>,
): Promise<TierRow> =>
  loggedTiers.create(ctx, async (ctx) => {
    checkAmount(kind, amount);
    return {
      id: newId(),
      kind,
      amount,
      sort: sort ?? (await nextSortValue(ctx.db, priceTiers, eq(priceTiers.kind, kind))),
      enabled: isOn(enabled, true),
    };
  });

type PriceUpdate = z.output<typeof calls.updatePrices.input>;

const updateTier = (ctx: Ctx, id: string, { amount, sort, enabled }: PriceUpdate): Promise<TierRow> =>
  loggedTiers.update(ctx, id, (before) => {
    const tier: TierRow = {
      ...before,
      amount: amount ?? before.amount,
      sort: sort ?? before.sort,
      enabled: isOn(enabled, before.enabled),
    };
    checkAmount(tier.kind, tier.amount);
    return tier;
  });

async function updateRules(ctx: Ctx, given: Partial<PriceRules>): Promise<void> {
  const before = await queries.lockRules(ctx.db);
  checkRules({ ...before, ...given }, given);
  await queries.updateRules(ctx.db, given);
  const previous = Object.entries(before).filter(([name]) => name in given);
  invalidate(ctx, 'prices');
  logChange(ctx, 'price:rules', Object.fromEntries(previous), given);
}

/** Updates either one tier or the rules. */
export function updatePrices(ctx: Ctx, input: PriceUpdate): Promise<PriceSettings> {
  return inTransaction(ctx, async (ctx) => {
    const { id, amount, sort, enabled, ...given } = input;
    const hasTierFields = amount !== undefined || sort !== undefined || enabled !== undefined;
    if (id === undefined && hasTierFields) throw invalidField('id', '请指明修改哪一档金额');
    const [rule] = Object.keys(given);
    if (id !== undefined && rule !== undefined) throw invalidField(rule, '价格设置要与各档金额分开修改');
    if (id === undefined && rule === undefined) throw invalidField('id', '没有要修改的内容');
    if (id === undefined) await updateRules(ctx, given);
    else await updateTier(ctx, id, input);
    return getPrices(ctx);
  });
}

export const removeTier = loggedTiers.remove;
