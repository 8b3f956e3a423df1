import { readEssay } from '@mozhan/contract/reading-history.ts';
import * as calls from '@mozhan/contract/shares.ts';
import { mapPage } from '../../../db/page.ts';
import { bind } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { countRead } from '../essays/index.ts';
import {
  baseUrlOf,
  countVisit,
  countVisitIfValid,
  listOwnShares,
  listVisibleShared,
  shareEssay,
} from './actions.ts';
import { toCreatedShare, toShare } from './views.ts';

export const routes = [
  bind(calls.shareEssay, async (ctx, input) =>
    toCreatedShare(await shareEssay(ctx, requireSignedIn(ctx), input), baseUrlOf(ctx)),
  ),
  bind(calls.listShares, async (ctx, query) =>
    mapPage(await listOwnShares(ctx, requireSignedIn(ctx), query), (row) => toShare(row, baseUrlOf(ctx))),
  ),
  bind(calls.listSharedEssays, (ctx, { userId, ...query }) =>
    listVisibleShared(ctx, userId ?? requireSignedIn(ctx).id, query),
  ),
  bind(calls.readShare, async (ctx, { code }) => ({ counted: await countVisit(ctx, code) })),
  // Bound in this module because a read can carry a share code.
  bind(readEssay, async (ctx, { essayId, progress, shareCode }) => {
    const counted = await countRead(ctx, essayId, progress);
    if (shareCode !== undefined) await countVisitIfValid(ctx, shareCode, essayId);
    return { counted };
  }),
];
