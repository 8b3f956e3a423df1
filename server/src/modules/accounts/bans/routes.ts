import * as calls from '@mozhan/contract/bans.ts';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../ctx.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as actions from './actions.ts';
import { getListedBan, listBans } from './queries.ts';
import { toBan } from './views.ts';

const load = async (ctx: Ctx, { id }: { id: string }) => toBan(await getListedBan(ctx.db, id), ctx.now);

export const routes = [
  bindPage(calls.listBans, toBan, (ctx, { keyword, sort: _sort, order, ...query }) =>
    listBans(ctx.db, {
      ...query,
      network: actions.toSearchedNetwork(keyword),
      isDescending: order !== SORT_ORDER.ascending,
    }),
  ),
  bind(calls.createBan, async (ctx, input) =>
    load(ctx, await actions.createBan(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.updateBan, async (ctx, input) => load(ctx, await actions.updateBan(ctx, input))),
  bindDone(calls.removeBan, (ctx, { id }) => actions.removeBan(ctx, id)),
];
