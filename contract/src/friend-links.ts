import { z } from 'zod';
import { done, flag, id, webAddress } from './common.ts';
import { defineCall } from './define.ts';

const singleLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行');

/** The fields that readers receive. */
const visibleFriendLink = z.object({
  id,
  name: z.string(),
  url: z.string(),
  description: z.string(),
  logo: z.string(),
});
export type VisibleFriendLink = z.output<typeof visibleFriendLink>;

const friendLink = visibleFriendLink.extend({ sort: z.int(), enabled: flag });
export type FriendLink = z.output<typeof friendLink>;

const fields = z.object({
  name: singleLine(40).min(1).meta({ title: '名称' }),
  url: webAddress(500).meta({ title: '网址' }),
  description: singleLine(100).meta({ title: '介绍' }),
  /** Path of an uploaded image; empty for none. */
  logo: z
    .string()
    .trim()
    .max(300)
    .regex(/^(\/files\/[\w./-]+)?$/, '请上传一张图片')
    .meta({ title: '标志' }),
  sort: z.int().min(0).max(9999).meta({ title: '排序' }),
  enabled: flag.meta({ title: '启用' }),
});

export const listVisibleFriendLinks = defineCall({
  method: 'GET',
  path: 'core/site/link',
  summary: '友情链接：启用的，按顺序',
  access: 'anyone',
  input: z.object({}),
  output: z.array(visibleFriendLink),
});

export const listFriendLinks = defineCall({
  method: 'GET',
  path: 'core/sys/friend-link/',
  summary: '全部友情链接，按顺序',
  access: 'friend-link:list',
  input: z.object({}),
  output: z.array(friendLink),
});

export const createFriendLink = defineCall({
  method: 'POST',
  path: 'core/sys/friend-link/',
  summary: '添加友情链接',
  access: 'friend-link:create',
  input: fields.partial().required({ name: true, url: true }),
  output: friendLink,
});

export const updateFriendLink = defineCall({
  method: 'PUT',
  path: 'core/sys/friend-link/',
  summary: '修改友情链接',
  access: 'friend-link:update',
  input: fields.partial().extend({ id }),
  output: friendLink,
});

export const removeFriendLink = defineCall({
  method: 'DELETE',
  path: 'core/sys/friend-link/',
  summary: '删除友情链接',
  access: 'friend-link:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [
  listVisibleFriendLinks,
  listFriendLinks,
  createFriendLink,
  updateFriendLink,
  removeFriendLink,
] as const;
