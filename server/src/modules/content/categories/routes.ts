import * as calls from '@mozhan/contract/categories.ts';
import { bind, bindDone } from '../../../http/route.ts';
import * as actions from './actions.ts';
import { toCategory } from './views.ts';

export const routes = [
  bind(calls.listCategories, async (ctx, input) =>
    input.id === undefined
      ? (await actions.listCategories(ctx)).map(toCategory)
      : toCategory(await actions.getCategory(ctx, input.id)),
  ),
  bind(calls.createCategory, async (ctx, input) => toCategory(await actions.createCategory(ctx, input))),
  bind(calls.updateCategory, async (ctx, input) => toCategory(await actions.updateCategory(ctx, input))),
  bindDone(calls.removeCategory, (ctx, input) => actions.removeCategory(ctx, input.id)),
];
