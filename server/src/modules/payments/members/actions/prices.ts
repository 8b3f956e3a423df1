import { isOn } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/prices.ts';
import type { PayBy, PriceRules } from '@mozhan/contract/prices.ts';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { nextPlace } from '../../../../db/place.ts';
import * as queries from '../queries/prices.ts';
import { canSeeDisabled, checkAmount, checkRules, isOffered } from '../rules/prices.ts';
import { priceTiers, type TierRow } from '../tables.ts';

const findRules = createLookup((db) => {
  const rules = queries.selectRules(db).prepare('price_rules');
  return async (keys) => {
    const [row] = await rules.execute();
    return new Map(row === undefined ? [] : keys.map((key) => [key, row]));
  };
});

/** As they are now; inside a transaction as it sees them. */
export async function getPriceRules(ctx: Ctx): Promise<PriceRules> {
  shows(ctx, 'prices');
  const rules = await findRules(ctx, 'rules');
  if (rules === null) throw new Error('no price rules');
  return rules;
}

export interface PriceSettings {
  rules: PriceRules;
  tiers: TierRow[];
  payBy: PayBy[];
}

/** By what one can pay here: from the balance always. */
const listPayBy = ({ services: { providers } }: Ctx): PayBy[] => [
  'balance',
  ...(['alipay', 'wechat', 'sandbox'] as const).filter((name) => providers[name] !== undefined),
];

export async function getPrices(ctx: Ctx): Promise<PriceSettings> {
  const rules = await getPriceRules(ctx);
  const tiers = await queries.selectTiers(ctx.db);
  return {
    rules,
    tiers: canSeeDisabled(ctx.viewer) ? tiers : tiers.filter((tier) => isOffered(tier, rules)),
    payBy: listPayBy(ctx),
  };
}

const logged = loggedRows(queries.tierRows, {
  noun: 'price',
  toLog: ({ id: _, ...fields }) => fields,
  onChange: (ctx) => touch(ctx, 'prices'),
});

export const createTier = (
  ctx: Ctx,
  { kind, amount, sort, enabled }: z.output<typeof calls.createTier.input>,
): Promise<TierRow> =>
  logged.create(ctx, async (ctx) => {
    checkAmount(kind, amount);
    return {
      id: newId(),
      kind,
      amount,
      sort: sort ?? (await nextPlace(ctx.db, priceTiers, eq(priceTiers.kind, kind))),
      enabled: isOn(enabled, true),
    };
  });

type Given = z.output<typeof calls.updatePrices.input>;

const updateTier = (ctx: Ctx, id: string, { amount, sort, enabled }: Given): Promise<TierRow> =>
  logged.update(ctx, id, (before) => {
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
  const were = Object.entries(before).filter(([name]) => name in given);
  touch(ctx, 'prices');
  changed(ctx, 'price:rules', Object.fromEntries(were), given);
}

/** A tier, or the rules; each by itself. */
export function updatePrices(ctx: Ctx, input: Given): Promise<PriceSettings> {
  return inTx(ctx, async (ctx) => {
    const { id, amount, sort, enabled, ...given } = input;
    const hasTierFields = amount !== undefined || sort !== undefined || enabled !== undefined;
    if (id === undefined && hasTierFields) throw invalid('id', '请指明修改哪一档金额');
    const [rule] = Object.keys(given);
    if (id !== undefined && rule !== undefined) throw invalid(rule, '价格设置要与各档金额分开修改');
    if (id === undefined && rule === undefined) throw invalid('id', '没有要修改的内容');
    if (id === undefined) await updateRules(ctx, given);
    else await updateTier(ctx, id, input);
    return getPrices(ctx);
  });
}

export const removeTier = logged.remove;
