import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const blockState = z.object({ blocked: z.boolean() });
const userId = id.meta({ title: '用户' });

export const blockUser = defineCall({
  method: 'POST',
  path: 'core/user/block',
  summary: '屏蔽一个人：双方不再互相关注；TA 不能再关注、评论、回复、提到我，我也看不到 TA 的评论',
  access: 'user',
  input: z.object({ userId }),
  output: blockState,
  errors: ['BLOCK_SELF', 'TOO_MANY_BLOCKED'],
  limit: { max: 200, per: 3600 },
});

export const unblockUser = defineCall({
  method: 'DELETE',
  path: 'core/user/block',
  summary: '解除屏蔽；没有屏蔽时不变',
  access: 'user',
  input: z.object({ userId }),
  output: blockState,
  limit: { max: 200, per: 3600 },
});

export const listBlockedUsers = defineCall({
  method: 'GET',
  path: 'core/user/block',
  summary: '自己屏蔽的人，新的在前',
  access: 'user',
  input: listInput,
  output: pageOf(userCard.extend({ blockedAt: time })),
});

export const calls = [blockUser, unblockUser, listBlockedUsers] as const;
