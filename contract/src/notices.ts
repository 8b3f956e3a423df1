import { z } from 'zod';
import { done, id, pageInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { noticeKind, noticeKinds } from './users.ts';

export const notice = z.object({
  id,
  kind: noticeKind,
  text: z.string(),
  read: z.boolean(),
  createdAt: time,
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
});
export type UnreadCounts = z.output<typeof unreadCounts>;

export const listNotices = defineCall({
  method: 'GET',
  path: 'core/user/notice',
  summary: '自己的通知，新的在前',
  who: 'user',
  input: pageInput.pick({ page: true, pageSize: true, cursor: true }).extend({ kind: noticeKind.optional() }),
  output: pageOf(notice),
});

export const readNotices = defineCall({
  method: 'PUT',
  path: 'core/user/notice',
  summary: '标为已读：给出 ids，或 all 全部',
  who: 'user',
  input: z.object({ ids: z.array(id).max(100).optional(), all: z.literal(true).optional() }),
  output: done,
});

export const getUnread = defineCall({
  method: 'GET',
  path: 'core/user/notice/unread',
  summary: '各类未读数',
  who: 'user',
  input: z.object({}),
  output: unreadCounts,
});
