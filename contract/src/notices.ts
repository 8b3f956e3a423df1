import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { noticeKind, noticeKinds, userCard } from './users.ts';

export const notice = z.object({
  id,
  kind: noticeKind,
  text: z.string().meta({ description: '一句话，如「林砚 等 12 人赞了你的文章《…》」' }),
  /** The parts of `text`, for pages that render it with links. */
  actors: z.array(userCard).meta({ description: '最近的几个人，最多三个；系统通知为空' }),
  count: z.int().meta({ description: '一共几个人' }),
  verb: z
    .string()
    .meta({ description: '赞了你的文章、赞了你在《》下的评论……；标题放在《》处或末尾；系统通知为空' }),
  target: z
    .object({ title: z.string(), url: z.string().meta({ description: '在网站上的地址' }) })
    .nullable()
    .meta({ description: '已被删除的没有' }),
  excerpt: z.string().meta({ description: '评论、回复的开头；一组里最近的一条' }),
  items: z
    .array(
      z.object({
        name: z.string().meta({ description: '谁' }),
        excerpt: z.string(),
        url: z.string().meta({ description: '在网站上的地址' }),
        createdAt: time,
      }),
    )
    .meta({ description: '一组里最近的几条，新的在前，最多三条；不分条的通知为空' }),
  read: z.boolean(),
  createdAt: time.meta({ description: '其中最近的一次' }),
});
export type Notice = z.output<typeof notice>;

export const unreadCounts = z.object({
  total: z.int(),
  kinds: z.object(
    Object.fromEntries(noticeKinds.map((kind) => [kind, z.int()])) as Record<
      (typeof noticeKinds)[number],
      z.ZodInt
    >,
  ),
  latest: z.int().meta({ description: '每有新的动静就变大；并入已有的一组时，未读数不变，它也变大' }),
});
export type UnreadCounts = z.output<typeof unreadCounts>;

export const listNotices = defineCall({
  method: 'GET',
  path: 'core/user/notice',
  summary: '自己的通知，新的在前',
  access: 'user',
  input: listInput.extend({ kind: noticeKind.optional() }),
  output: pageOf(notice),
});

export const readNotices = defineCall({
  method: 'PUT',
  path: 'core/user/notice',
  summary: '标为已读：给出 ids，或 all 全部',
  access: 'user',
  input: z.object({ ids: z.array(id).max(100).optional(), all: z.literal(true).optional() }),
  output: done,
});

export const getUnreadCounts = defineCall({
  method: 'GET',
  path: 'core/user/notice/unread',
  summary: '各类未读数',
  access: 'user',
  input: z.object({}),
  output: unreadCounts,
});

export const calls = [listNotices, readNotices, getUnreadCounts] as const;
