import { z } from 'zod';
import { done, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard } from './essays.ts';

/** A count of new essays stops here. */
export const MAX_NEW_ESSAYS = 99;

export const getReaderHome = defineCall({
  method: 'GET',
  path: 'core/user/home',
  summary: '首页上自己的部分：没有读完的文章，和关注的人的新文章数',
  access: 'user',
  input: z.object({}),
  output: z.object({
    unfinished: z
      .array(
        essayCard
          .pick({ id: true, slug: true, title: true, cover: true, readMinutes: true, author: true })
          .extend({ progress: z.int(), readAt: time }),
      )
      .meta({ description: '最近没有读完的，最多 2 篇' }),
    newCount: z
      .int()
      .meta({ description: `上次看「关注」以后，关注的人发布而自己没有读过的，最多数到 ${MAX_NEW_ESSAYS}` }),
  }),
});

export const visitFollowing = defineCall({
  method: 'PUT',
  path: 'core/user/home',
  summary: '看过了「关注」：此前发布的不再算新文章',
  access: 'user',
  input: z.object({}),
  output: done,
  limit: { max: 600, per: 3600 },
});

export const calls = [getReaderHome, visitFollowing] as const;
