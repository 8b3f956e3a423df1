import * as calls from '@mozhan/contract/bans.ts';
import { SORT_ORDER } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../ctx.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import * as actions from './actions.ts';
import { getListedBan, listBans } from './queries.ts';
import { formatNetwork, parseNetwork } from './rules.ts';
import { toBan } from './views.ts';

function toSearchedNetwork(keyword: string | undefined): string | undefined {
  if (!keyword) return undefined;
  const network = parseNetwork(keyword);
  if (network === null) throw invalidField('keyword', '请填写完整的 IP 地址或网络');
  return formatNetwork(network);
}

const load = async (ctx: Ctx, { id }: { id: string }) => toBan(await getListedBan(ctx.db, id), ctx.now);

export const routes = [
  bindPage(calls.listBans, toBan, (ctx, { keyword, sort: _sort, order, ...query }) =>
    listBans(ctx.db, {
      ...query,
      network: toSearchedNetwork(keyword),
      isDescending: order !== SORT_ORDER.ascending,
    }),
  ),
  bind(calls.createBan, async (ctx, input) =>
    load(ctx, await actions.createBan(ctx, requireSignedIn(ctx), input)),
  ),
  bind(calls.updateBan, async (ctx, input) => load(ctx, await actions.updateBan(ctx, input))),
  bindDone(calls.removeBan, (ctx, { id }) => actions.removeBan(ctx, id)),
];
