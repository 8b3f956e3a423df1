import { z } from 'zod';
import { dayRange, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { uploadKind } from './uploads.ts';
import { userCard } from './users.ts';

/** Files that were uploaded within this time may be part of a text that is not saved yet. */
export const GRACE_HOURS = 24;
export const MAX_QUOTA_MB = 1024 * 1024;

export const mediaUseKind = z
  .enum([
    'essay',
    'column',
    'comment',
    'page',
    'announcement',
    'cover',
    'friend-link',
    'avatar',
    'navigation',
    'setting',
    'chat',
    'letter',
    'import',
  ])
  .meta({ title: '用途' });
export type MediaUseKind = z.output<typeof mediaUseKind>;

const mediaUse = z.object({
  kind: mediaUseKind,
  title: z.string().meta({ description: '标题、名称或昵称；没有时为空。私信与聊天的内容不给出' }),
  link: z.string().nullable().meta({ description: '网站上的地址；没有公开的页面时为空' }),
});
export type MediaUse = z.output<typeof mediaUse>;

const mediaFile = z.object({
  id,
  kind: uploadKind,
  name: z.string().meta({ description: '附件的文件名；图片为空' }),
  type: z.string(),
  url: z
    .string()
    .meta({ description: '图片的地址；附件没有公开的地址，为空；只用在私信与聊天里的图片也为空' }),
  thumbUrl: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  bytes: z.int(),
  user: userCard,
  isUsed: z.boolean(),
  isFresh: z
    .boolean()
    .meta({ description: `上传不满 ${GRACE_HOURS} 小时，可能在还没保存的文字里，不能清理` }),
  uses: z.array(mediaUse).meta({ description: '用在哪里，最多 3 处' }),
  createdAt: time,
});
export type MediaFile = z.output<typeof mediaFile>;

export const listMedia = defineCall({
  method: 'GET',
  path: 'core/sys/media/',
  summary: '上传的图片或附件，新的在前；minBytes 给出时大的在前',
  access: 'media:list',
  input: listInput.extend({
    kind: uploadKind,
    keyword: z
      .string()
      .trim()
      .max(300)
      .optional()
      .meta({ title: '关键词', description: '图片：它的地址；附件：文件名（开头，或最近两万个里含有）' }),
    userId: id.optional().meta({ title: '上传的人' }),
    unused: flag.optional().meta({ title: '没有用到' }),
    minBytes: z.int().min(1).optional().meta({ title: '至少多少字节' }),
    ...dayRange,
    ...sortBy('createdAt', 'bytes'),
  }),
  output: pageOf(mediaFile),
});

export const listMediaUses = defineCall({
  method: 'GET',
  path: 'core/sys/media/uses',
  summary: '一个文件用在哪里，最多 100 处',
  access: 'media:list',
  input: z.object({ kind: uploadKind, id }),
  output: z.object({ list: z.array(mediaUse), more: z.boolean() }),
});

const totals = z.object({ count: z.int(), bytes: z.int() });

export const getMediaTotals = defineCall({
  method: 'GET',
  path: 'core/sys/media/total',
  summary: '全部图片和附件的大小，以及其中可以清理的',
  access: 'media:list',
  input: z.object({}),
  output: z.object({
    image: z.object({ bytes: z.int(), unused: totals }),
    attachment: z.object({ bytes: z.int(), unused: totals }),
  }),
});

const removed = totals.meta({ description: '清理了几个，共多大' });

export const removeMedia = defineCall({
  method: 'DELETE',
  path: 'core/sys/media/',
  summary: `清理没有用到的文件；正在用的、上传不满 ${GRACE_HOURS} 小时的留下`,
  access: 'media:remove',
  input: z.object({ kind: uploadKind, ids: z.array(id).min(1).max(100).meta({ title: '编号' }) }),
  output: removed,
});

export const cleanMedia = defineCall({
  method: 'POST',
  path: 'core/sys/media/clean',
  summary: '清理全部没有用到的文件，一次最多 500 个；more 为真时还有',
  access: 'media:remove',
  input: z.object({ kind: uploadKind }),
  output: removed.extend({ more: z.boolean() }),
});

const megabytes = z
  .int('请填整数')
  .min(0, '不能小于 0')
  .max(MAX_QUOTA_MB, `最多 ${MAX_QUOTA_MB} MB`)
  .meta({ description: '0：不限' });

export const uploadQuotas = z.object({
  image: megabytes.meta({ title: '每人的图片（MB）' }),
  attachment: megabytes.meta({ title: '每人的附件（MB）' }),
});
export type UploadQuotas = z.output<typeof uploadQuotas>;

export const getUploadQuotas = defineCall({
  method: 'GET',
  path: 'core/sys/media/quota',
  summary: '每人能存多少图片和附件',
  access: 'media:list',
  input: z.object({}),
  output: uploadQuotas,
});

export const updateUploadQuotas = defineCall({
  method: 'PUT',
  path: 'core/sys/media/quota',
  summary: '修改每人能存多少图片和附件；已经超过的人不受影响，只是不能再传',
  access: 'media:update',
  input: uploadQuotas.partial(),
  output: uploadQuotas,
});

const usedSpace = z.object({
  bytes: z.int(),
  quotaBytes: z.int().nullable().meta({ description: '共有多少；空：不限' }),
});

const storage = z.object({ image: usedSpace, attachment: usedSpace });
export type OwnStorage = z.output<typeof ownStorage>;

const userStorage = storage.extend({
  own: z.object({
    image: megabytes.nullable().meta({ description: '单独给此人的（MB）；空：与大家一样' }),
    attachment: megabytes.nullable(),
  }),
});

export const getUserStorage = defineCall({
  method: 'GET',
  path: 'core/sys/media/user',
  summary: '一个人存了多少、能存多少',
  access: 'media:list',
  input: z.object({ userId: id }),
  output: userStorage,
});

export const updateUserQuotas = defineCall({
  method: 'PUT',
  path: 'core/sys/media/user',
  summary: '单独设定一个人能存多少；空：与大家一样',
  access: 'media:update',
  input: z.object({
    userId: id,
    image: megabytes.nullable().optional().meta({ title: '图片（MB）' }),
    attachment: megabytes.nullable().optional().meta({ title: '附件（MB）' }),
  }),
  output: userStorage,
});

const ownStorage = storage.extend({
  unused: totals.meta({ description: `没有用到、上传满 ${GRACE_HOURS} 小时，可以清理的` }),
});

export const getOwnStorage = defineCall({
  method: 'GET',
  path: 'core/user/storage',
  summary: '我上传的图片和附件占了多少、共有多少',
  access: 'user',
  input: z.object({}),
  output: ownStorage,
});

export const cleanOwnStorage = defineCall({
  method: 'DELETE',
  path: 'core/user/storage',
  summary: `清理我上传而没有用到的图片和附件；上传不满 ${GRACE_HOURS} 小时的留下`,
  access: 'user',
  input: z.object({}),
  output: ownStorage,
  limit: { max: 10, per: 600 },
});

export const calls = [
  listMedia,
  listMediaUses,
  getMediaTotals,
  removeMedia,
  cleanMedia,
  getUploadQuotas,
  updateUploadQuotas,
  getUserStorage,
  updateUserQuotas,
  getOwnStorage,
  cleanOwnStorage,
] as const;
