import { FLAG } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/prices.ts';
import type { PayBy, PriceRules } from '@mozhan/contract/prices.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { createLookup } from '../../../../db/lookup.ts';
import * as queries from '../queries/prices.ts';
import { canSeeDisabled, checkAmount, checkRules, isOffered } from '../rules/prices.ts';
import type { TierRow } from '../tables.ts';

/** New ones come last, with room between; the order ends here. */
const STEP = 10;
const LAST = 9999;

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

const toLog = ({ id: _, ...fields }: TierRow) => fields;

export function createTier(ctx: Ctx, input: z.output<typeof calls.createTier.input>): Promise<TierRow> {
  return inTx(ctx, async (ctx) => {
    checkAmount(input.kind, input.amount);
    const tier: TierRow = {
      id: newId(),
      kind: input.kind,
      amount: input.amount,
      sort: input.sort ?? Math.min((await queries.findLastSort(ctx.db, input.kind)) + STEP, LAST),
      enabled: input.enabled !== FLAG.off,
    };
    await queries.insertTier(ctx.db, tier);
    touch(ctx, 'prices');
    changed(ctx, `price:${tier.id}`, null, toLog(tier));
    return tier;
  });
}

type Given = z.output<typeof calls.updatePrices.input>;

async function updateTier(ctx: Ctx, id: string, { amount, sort, enabled }: Given): Promise<void> {
  const before = await queries.lockTier(ctx.db, id);
  const tier: TierRow = {
    ...before,
    amount: amount ?? before.amount,
    sort: sort ?? before.sort,
    enabled: enabled === undefined ? before.enabled : enabled === FLAG.on,
  };
  checkAmount(tier.kind, tier.amount);
  await queries.updateTier(ctx.db, tier);
  changed(ctx, `price:${id}`, toLog(before), toLog(tier));
}

async function updateRules(ctx: Ctx, given: Partial<PriceRules>): Promise<void> {
  const before = await queries.lockRules(ctx.db);
  checkRules({ ...before, ...given }, given);
  await queries.updateRules(ctx.db, given);
  const were = Object.entries(before).filter(([name]) => name in given);
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
    touch(ctx, 'prices');
    return getPrices(ctx);
  });
}

export function removeTier(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockTier(ctx.db, id);
    await queries.removeTier(ctx.db, id);
    touch(ctx, 'prices');
    changed(ctx, `price:${id}`, toLog(before), null);
  });
}
