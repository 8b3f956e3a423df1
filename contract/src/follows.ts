import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const followState = z.object({ followed: z.boolean(), followerCount: z.int() });
export type FollowState = z.output<typeof followState>;

export const followUser = defineCall({
  method: 'POST',
  path: 'core/essay/follow',
  summary: '关注一位用户；已经关注时不变',
  access: 'user',
  input: z.object({ userId: id.meta({ title: '用户' }) }),
  output: followState,
  errors: ['FOLLOW_SELF', 'BLOCKED'],
  limit: { max: 600, per: 3600 },
});

export const unfollowUser = defineCall({
  method: 'DELETE',
  path: 'core/essay/follow',
  summary: '取消关注；没有关注时不变',
  access: 'user',
  input: z.object({ userId: id.meta({ title: '用户' }) }),
  output: followState,
  limit: { max: 600, per: 3600 },
});

const followedUser = userCard.extend({
  bio: z.string(),
  followed: z.boolean().meta({ description: '我是否关注了 TA' }),
  followedAt: time,
});
export type FollowedUser = z.output<typeof followedUser>;

export const listFollows = defineCall({
  method: 'GET',
  path: 'core/user/follower',
  summary: '某人的粉丝或关注的人（默认自己的），新的在前；对方不公开时为空',
  access: 'anyone',
  input: listInput.extend({
    userId: id.optional().meta({ title: '用户' }),
    type: z.enum(['follower', 'following']).default('follower').meta({ title: '类型' }),
  }),
  output: pageOf(followedUser),
});

export const calls = [followUser, unfollowUser, listFollows] as const;
