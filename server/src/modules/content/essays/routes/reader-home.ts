import * as calls from '@mozhan/contract/reader-home.ts';
import * as tagCalls from '@mozhan/contract/tag-follows.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { getReaderHome, visitFollowing } from '../actions/reader-home.ts';
import { followTag, listFollowedTags, unfollowTag } from '../actions/tag-follows.ts';

export const routes = [
  bind(calls.getReaderHome, (ctx) => getReaderHome(ctx, requireSignedIn(ctx))),
  bindDone(calls.visitFollowing, (ctx) => visitFollowing(ctx, requireSignedIn(ctx))),
  bind(tagCalls.followTag, (ctx, { tag }) => followTag(ctx, requireSignedIn(ctx), tag)),
  bind(tagCalls.unfollowTag, (ctx, { tag }) => unfollowTag(ctx, requireSignedIn(ctx), tag)),
  bind(tagCalls.listFollowedTags, async (ctx, query) =>
    mapPage(await listFollowedTags(ctx, requireSignedIn(ctx), query), ({ tag, createdAt }) => ({
      name: tag.name,
      count: tag.essayCount,
      followedAt: createdAt.toISOString(),
    })),
  ),
];
