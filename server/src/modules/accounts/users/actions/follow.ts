import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { FollowState } from '@mozhan/contract/follows.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { recordTrend, removeTrends } from '../../activity/index.ts';
import { isBlocked } from '../queries/blocks.ts';
import * as queries from '../queries/follows.ts';
import { getUser } from '../queries/users.ts';
import type { User } from '../tables.ts';
import { notify, wasNotified } from './notices.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Locks both users and returns the other one; an unknown id is an invalid field of the request body. */
export async function lockBothUsers(ctx: Ctx, viewer: Viewer, userId: string): Promise<User> {
  const locked = await queries.lockUsers(ctx.db, [viewer.id, userId]);
  const followed = locked.find((user) => user.id === userId);
  if (followed === undefined) throw invalidField('userId', '没有找到这位用户');
  return followed;
}

export function invalidateBoth(ctx: Ctx, viewer: Viewer, userId: string): void {
  invalidate(ctx, `user:${viewer.id}`, `user:${userId}`);
}

export function followUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<FollowState> {
  if (viewer.id === userId) throw new CallError('FOLLOW_SELF');
  return inTransaction(ctx, async (ctx) => {
    const { followerCount } = await lockBothUsers(ctx, viewer, userId);
    await requireNotBlocked(ctx, viewer, userId);
    const pair = { followerId: viewer.id, userId };
    if (!(await queries.insertFollow(ctx.db, { ...pair, createdAt: ctx.now })))
      return { followed: true, followerCount };
    await queries.updateFollowCounts(ctx.db, { ...pair, by: 1, day: chinaDayOf(ctx.now) });
    invalidateBoth(ctx, viewer, userId);
    await notifyFollow(ctx, viewer, userId);
    return { followed: true, followerCount: followerCount + 1 };
  });
}

async function requireNotBlocked(ctx: Ctx, viewer: Viewer, userId: string): Promise<void> {
  if (await isBlocked(ctx.db, userId, viewer.id)) throw new CallError('BLOCKED');
  if (await isBlocked(ctx.db, viewer.id, userId))
    throw new CallError('BLOCKED', { message: '你屏蔽了 TA，解除屏蔽后才能关注' });
}

async function notifyFollow(ctx: Ctx, viewer: Viewer, userId: string): Promise<void> {
  await recordTrend(ctx, {
    userId: viewer.id,
    type: TREND_TYPE.follow,
    targetKind: 'home',
    targetId: userId,
  });
  invalidate(ctx, `trend:${viewer.id}`);
  const notice = { userId, kind: 'follow', actorId: viewer.id } as const;
  // At most one notice a day, however often the user follows and unfollows.
  const since = new Date(ctx.now.getTime() - DAY_MS);
  if (!(await wasNotified(ctx, { ...notice, targetId: userId }, since)))
    await notify(ctx, { ...notice, text: '关注了你' });
}

/** Also updates counters and removes the trend; returns false without a follow. The caller has locked both users. */
export async function endFollow(ctx: Ctx, followerId: string, userId: string): Promise<boolean> {
  if (!(await queries.removeFollow(ctx.db, followerId, userId))) return false;
  await queries.updateFollowCounts(ctx.db, { followerId, userId, by: -1, day: chinaDayOf(ctx.now) });
  await removeTrends(ctx, [{ userId: followerId, type: TREND_TYPE.follow, targetId: userId }]);
  invalidate(ctx, `trend:${followerId}`);
  return true;
}

export function unfollowUser(ctx: Ctx, viewer: Viewer, userId: string): Promise<FollowState> {
  return inTransaction(ctx, async (ctx) => {
    const { followerCount } = await lockBothUsers(ctx, viewer, userId);
    if (!(await endFollow(ctx, viewer.id, userId))) return { followed: false, followerCount };
    invalidateBoth(ctx, viewer, userId);
    return { followed: false, followerCount: followerCount - 1 };
  });
}

/** Other users' lists are empty when their privacy setting hides them. */
export async function listVisibleFollows(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { type: 'follower' | 'following' },
): Promise<Page<queries.FollowRow>> {
  addPageTags(ctx, `user:${userId}`);
  const of = await getUser(ctx.db, userId);
  const viewerId = ctx.viewer?.id ?? null;
  if (viewerId !== userId && of.privacy.follow === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listFollows(ctx.db, { ...query, of, viewerId });
  for (const { user } of page.list) addPageTags(ctx, `user:${user.id}`);
  return page;
}
