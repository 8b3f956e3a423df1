import { z } from 'zod';
import { listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

export const MAX_FOLLOWED_TAGS = 200;

const tag = z.string().trim().min(1).max(20).meta({ title: '标签' });
const tagFollowState = z.object({
  tag: z.string().meta({ description: '标签现在的名字' }),
  followed: z.boolean(),
});

export const followTag = defineCall({
  method: 'POST',
  path: 'core/essay/tag/follow',
  summary: `关注一个标签，最多 ${MAX_FOLLOWED_TAGS} 个；已经关注时不变`,
  access: 'user',
  input: z.object({ tag }),
  output: tagFollowState,
  errors: ['TOO_MANY_TAGS'],
  limit: { max: 600, per: 3600 },
});

export const unfollowTag = defineCall({
  method: 'DELETE',
  path: 'core/essay/tag/follow',
  summary: '取消关注一个标签；没有关注时不变',
  access: 'user',
  input: z.object({ tag }),
  output: tagFollowState,
  limit: { max: 600, per: 3600 },
});

export const listFollowedTags = defineCall({
  method: 'GET',
  path: 'core/essay/tag/follow',
  summary: '自己关注的标签与文章数，新的在前；tag：只看关注了没有这一个',
  access: 'user',
  input: listInput.extend({ tag: tag.optional() }),
  output: pageOf(z.object({ name: z.string(), count: z.int(), followedAt: time })),
});

export const calls = [followTag, unfollowTag, listFollowedTags] as const;
