import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { FollowState } from '@mozhan/contract/follows.ts';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { forgetTrends, recordTrend } from '../../activity/index.ts';
import { isBlocked } from '../queries/blocks.ts';
import * as queries from '../queries/follows.ts';
import { getUser } from '../queries/people.ts';
import type { User } from '../tables.ts';
import { notify, wasTold } from './notices.ts';

const DAY = 24 * 60 * 60_000;

/** Both people, locked; the other one is named in a body, where an unknown one is a wrong field. */
export async function lockFollowed(ctx: Ctx, viewer: Viewer, userId: string): Promise<User> {
  const locked = await queries.lockUsers(ctx.db, [viewer.id, userId]);
  const followed = locked.find((user) => user.id === userId);
  if (followed === undefined) throw invalid('userId', '没有找到这位用户');
  return followed;
}

export function touchBoth(ctx: Ctx, viewer: Viewer, userId: string): void {
  touch(ctx, `user:${viewer.id}`, `user:${userId}`);
}

export function followUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<FollowState> {
  if (viewer.id === userId) throw new CallError('FOLLOW_SELF');
  return inTx(ctx, async (ctx) => {
    const { followerCount } = await lockFollowed(ctx, viewer, userId);
    await refuseBlocked(ctx, viewer, userId);
    const pair = { followerId: viewer.id, userId };
    if (!(await queries.insertFollow(ctx.db, { ...pair, createdAt: ctx.now })))
      return { followed: true, followerCount };
    await queries.updateFollowCounts(ctx.db, { ...pair, by: 1, day: dayOf(ctx.now) });
    touchBoth(ctx, viewer, userId);
    await tell(ctx, viewer, userId);
    return { followed: true, followerCount: followerCount + 1 };
  });
}

async function refuseBlocked(ctx: Ctx, viewer: Viewer, userId: string): Promise<void> {
  if (await isBlocked(ctx.db, userId, viewer.id)) throw new CallError('BLOCKED');
  if (await isBlocked(ctx.db, viewer.id, userId))
    throw new CallError('BLOCKED', { message: '你屏蔽了 TA，解除屏蔽后才能关注' });
}

async function tell(ctx: Ctx, viewer: Viewer, userId: string): Promise<void> {
  await recordTrend(ctx, {
    userId: viewer.id,
    type: TREND_TYPE.follow,
    targetKind: 'home',
    targetId: userId,
  });
  touch(ctx, `trend:${viewer.id}`);
  const deed = { userId, kind: 'follow', actorId: viewer.id } as const;
  // Once a day, however often somebody changes their mind.
  const since = new Date(ctx.now.getTime() - DAY);
  if (!(await wasTold(ctx, { ...deed, targetId: userId }, since)))
    await notify(ctx, { ...deed, text: '关注了你' });
}

/** Ends it with all that is counted and told of it; false when there was none. Both are locked. */
export async function endFollow(ctx: Ctx, followerId: string, userId: string): Promise<boolean> {
  if (!(await queries.removeFollow(ctx.db, followerId, userId))) return false;
  await queries.updateFollowCounts(ctx.db, { followerId, userId, by: -1, day: dayOf(ctx.now) });
  await forgetTrends(ctx, [{ userId: followerId, type: TREND_TYPE.follow, targetId: userId }]);
  touch(ctx, `trend:${followerId}`);
  return true;
}

export function unfollowUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<FollowState> {
  return inTx(ctx, async (ctx) => {
    const { followerCount } = await lockFollowed(ctx, viewer, userId);
    if (!(await endFollow(ctx, viewer.id, userId))) return { followed: false, followerCount };
    touchBoth(ctx, viewer, userId);
    return { followed: false, followerCount: followerCount - 1 };
  });
}

/** One's own always; another's while they let others see it. */
export async function listVisibleFollows(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { type: 'follower' | 'following' },
): Promise<Page<queries.FollowRow>> {
  shows(ctx, `user:${userId}`);
  const of = await getUser(ctx.db, userId);
  const viewerId = ctx.viewer?.id ?? null;
  if (viewerId !== userId && of.privacy.follow === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listFollows(ctx.db, { ...query, of, viewerId });
  for (const { user } of page.list) shows(ctx, `user:${user.id}`);
  return page;
}
