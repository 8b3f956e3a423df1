import { z } from 'zod';
import { done, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const ban = z.object({
  id,
  network: z.string().meta({ description: '地址，或一段网络，如 203.0.113.0/24' }),
  reason: z.string(),
  expiresAt: time.nullable().meta({ description: '到期的时间；空：不到期' }),
  isActive: z.boolean().meta({ description: '没有到期' }),
  user: userCard.nullable().meta({ description: '谁封禁的' }),
  createdAt: time,
});
export type Ban = z.output<typeof ban>;

const fields = z.object({
  reason: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
    .meta({ title: '理由' }),
  expiresAt: time.nullable().meta({ title: '到期时间', description: '空：不到期' }),
});

export const listBans = defineCall({
  method: 'GET',
  path: 'core/sys/ban/',
  summary: '封禁的地址与网络，新的在前；到期三十天后删除',
  access: 'ban:list',
  input: listInput.extend({
    keyword: z
      .string()
      .trim()
      .toLowerCase()
      .max(50)
      .optional()
      .meta({ title: '地址', description: '地址：包含它的；网络：与它相交的' }),
    ...sortBy('createdAt'),
  }),
  output: pageOf(ban),
});

export const createBan = defineCall({
  method: 'POST',
  path: 'core/sys/ban/',
  summary: '封禁一个地址或一段网络，立即生效；已在名单里时，改它的理由与到期时间',
  access: 'ban:create',
  input: fields.partial().extend({
    network: z.string().trim().toLowerCase().min(2).max(50).meta({ title: '地址或网络' }),
  }),
  output: ban,
});

export const updateBan = defineCall({
  method: 'PUT',
  path: 'core/sys/ban/',
  summary: '修改封禁的理由或到期时间',
  access: 'ban:update',
  input: fields.partial().extend({ id }),
  output: ban,
});

export const removeBan = defineCall({
  method: 'DELETE',
  path: 'core/sys/ban/',
  summary: '解除封禁，立即生效',
  access: 'ban:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [listBans, createBan, updateBan, removeBan] as const;
