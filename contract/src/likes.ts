import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard } from './essays.ts';
import { userCard } from './users.ts';

const likeState = z.object({ liked: z.boolean(), likeCount: z.int() });
export type LikeState = z.output<typeof likeState>;

const essayId = id.meta({ title: '文章' });

export const likeEssay = defineCall({
  method: 'POST',
  path: 'core/essay/like',
  summary: '点赞；已经赞过时不变',
  access: 'user',
  input: z.object({ essayId }),
  output: likeState,
  errors: ['GONE'],
  limit: { max: 1200, per: 3600 },
});

export const unlikeEssay = defineCall({
  method: 'DELETE',
  path: 'core/essay/like',
  summary: '取消点赞；没有赞过时不变',
  access: 'user',
  input: z.object({ essayId }),
  output: likeState,
  errors: ['GONE'],
  limit: { max: 1200, per: 3600 },
});

export const listLikers = defineCall({
  method: 'GET',
  path: 'core/essay/like',
  summary: '谁赞了这篇文章，新的在前；不公开点赞的人不在其中',
  access: 'anyone',
  input: listInput.extend({ essayId }),
  output: pageOf(userCard.extend({ likedAt: time })),
  errors: ['GONE'],
});

export const listLikedEssays = defineCall({
  method: 'GET',
  path: 'core/user/profile/like',
  summary: '某人（默认自己）赞过的文章，新的在前；对方不公开时为空',
  access: 'anyone',
  input: listInput.extend({ userId: id.optional().meta({ title: '用户' }) }),
  output: pageOf(essayCard.extend({ likedAt: time })),
});

export const calls = [likeEssay, unlikeEssay, listLikers, listLikedEssays] as const;
