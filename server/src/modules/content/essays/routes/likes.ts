import * as calls from '@mozhan/contract/likes.ts';
import { bind, bindPage } from '../../../../http/route.ts';
import { signedIn } from '../../../../viewer.ts';
import { listVisibleLiked, listVisibleLikers, setLiked } from '../actions/likes.ts';
import { toLiker } from '../views/likes.ts';

export const routes = [
  bind(calls.likeEssay, (ctx, { essayId }) =>
    setLiked(ctx, { userId: signedIn(ctx).id, essayId, liked: true }),
  ),
  bind(calls.unlikeEssay, (ctx, { essayId }) =>
    setLiked(ctx, { userId: signedIn(ctx).id, essayId, liked: false }),
  ),
  bindPage(calls.listLikers, toLiker, (ctx, { essayId, ...query }) => listVisibleLikers(ctx, essayId, query)),
  bind(calls.listLiked, (ctx, { userId, ...query }) =>
    listVisibleLiked(ctx, userId ?? signedIn(ctx).id, query),
  ),
];
