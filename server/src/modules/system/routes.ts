import * as calls from '#contract/system.ts';
import { bind } from '../../http/route.ts';
import { listOperations } from './queries.ts';
import { toOperation } from './views.ts';

export const routes = [
  bind(calls.listOperations, async (ctx, input) => {
    const page = await listOperations(ctx.db, input);
    return { ...page, list: page.list.map((row) => toOperation(row, ctx.now)) };
  }),
];
