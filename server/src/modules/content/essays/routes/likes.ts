import * as calls from '@mozhan/contract/likes.ts';
import { bind, bindPage } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { listVisibleLiked, listVisibleLikers, setEssayLiked } from '../actions/likes.ts';
import { toLiker } from '../views/likes.ts';

export const routes = [
  bind(calls.likeEssay, (ctx, { essayId }) =>
    setEssayLiked(ctx, { userId: requireSignedIn(ctx).id, essayId, liked: true }),
  ),
  bind(calls.unlikeEssay, (ctx, { essayId }) =>
    setEssayLiked(ctx, { userId: requireSignedIn(ctx).id, essayId, liked: false }),
  ),
  bindPage(calls.listLikers, toLiker, (ctx, { essayId, ...query }) => listVisibleLikers(ctx, essayId, query)),
  bind(calls.listLikedEssays, (ctx, { userId, ...query }) =>
    listVisibleLiked(ctx, userId ?? requireSignedIn(ctx).id, query),
  ),
];
