import * as calls from '@mozhan/contract/prices.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import * as actions from '../actions/prices.ts';
import { toPrices, toTier } from '../views/prices.ts';

export const routes = [
  bind(calls.getPrices, async (ctx) => toPrices(await actions.getPrices(ctx))),
  bind(calls.createTier, async (ctx, input) => toTier(await actions.createTier(ctx, input))),
  bind(calls.updatePrices, async (ctx, input) => toPrices(await actions.updatePrices(ctx, input))),
  bindDone(calls.removeTier, (ctx, { id }) => actions.removeTier(ctx, id)),
];
