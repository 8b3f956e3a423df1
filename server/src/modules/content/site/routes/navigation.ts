import * as calls from '@mozhan/contract/navigation.ts';
import { bind } from '../../../../http/route.ts';
import * as actions from '../actions/navigation.ts';
import { getVariables } from '../actions/site.ts';
import { toNavigation } from '../views/navigation.ts';

export const routes = [
  bind(calls.getNavigation, async (ctx) =>
    toNavigation(await actions.getNavigation(ctx), await getVariables(ctx)),
  ),
  bind(calls.updateNavigation, async (ctx, input) =>
    toNavigation(await actions.updateNavigation(ctx, input), await getVariables(ctx)),
  ),
];
