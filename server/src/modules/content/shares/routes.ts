import { readEssay } from '@mozhan/contract/essays.ts';
import * as calls from '@mozhan/contract/shares.ts';
import { mapPage } from '../../../db/page.ts';
import { bind } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { countRead } from '../essays/index.ts';
import { baseOf, countVisit, listOwnShares, listVisibleShared, shareEssay, tryVisit } from './actions.ts';
import { toMadeShare, toShare } from './views.ts';

export const routes = [
  bind(calls.shareEssay, async (ctx, input) =>
    toMadeShare(await shareEssay(ctx, signedIn(ctx), input), baseOf(ctx)),
  ),
  bind(calls.listShares, async (ctx, query) =>
    mapPage(await listOwnShares(ctx, signedIn(ctx), query), (row) => toShare(row, baseOf(ctx))),
  ),
  bind(calls.listShared, (ctx, { userId, ...query }) =>
    listVisibleShared(ctx, userId ?? signedIn(ctx).id, query),
  ),
  bind(calls.readShare, async (ctx, { code }) => ({ counted: await countVisit(ctx, code) })),
  // Here, since a read may be by a share.
  bind(readEssay, async (ctx, { essayId, progress, shareCode }) => {
    const counted = await countRead(ctx, essayId, progress);
    if (shareCode !== undefined) await tryVisit(ctx, shareCode, essayId);
    return { counted };
  }),
];
