import * as calls from '@mozhan/contract/traffic.ts';
import { bind } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { parseRange } from '../stats/index.ts';
import { listAuthorSources, listDays, listValues } from './queries/read.ts';

export const routes = [
  bind(calls.getTraffic, async (ctx, input) => {
    const { from, to } = parseRange(input, ctx.now);
    await ctx.services.traffic.flush();
    const [days, values] = await Promise.all([
      listDays(ctx.db, { from, to }),
      listValues(ctx.db, { from, to }),
    ]);
    return { from, to, days, values };
  }),
  bind(calls.getOwnSources, async (ctx, input) => ({
    list: await listAuthorSources(ctx.db, requireSignedIn(ctx).id, parseRange(input, ctx.now).from),
  })),
];
