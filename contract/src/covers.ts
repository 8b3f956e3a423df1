import { z } from 'zod';
import { done, flag, id, time } from './common.ts';
import { defineCall } from './define.ts';

export const coverKind = z
  .enum(['library', 'banner'])
  .meta({ title: '类型', description: 'library 封面库，banner 首页横幅' });
export type CoverKind = z.output<typeof coverKind>;

export const cover = z.object({
  id,
  kind: coverKind,
  title: z.string(),
  summary: z.string().meta({ description: '横幅标题下的一句话' }),
  image: z.string(),
  imageSizes: z
    .array(z.object({ path: z.string(), width: z.int() }))
    .meta({ description: '同一张图片的各种宽度，从小到大，供 srcset 选用；图片不大时为空' }),
  link: z.string(),
  sort: z.int(),
  enabled: flag,
  startsAt: time.nullable(),
  endsAt: time.nullable(),
});
export type Cover = z.output<typeof cover>;

const nullableDateTime = z.iso.datetime({ offset: true, error: '时间的格式不对' }).nullable();

const fields = z.object({
  kind: coverKind,
  title: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
    .meta({ title: '标题' }),
  summary: z
    .string()
    .trim()
    .max(100)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
    .meta({ title: '说明' }),
  image: z
    .string()
    .trim()
    .max(300)
    .regex(/^\/files\/[\w./-]+$/, '请上传一张图片')
    .meta({ title: '图片' }),
  link: z
    .string()
    .trim()
    .max(500)
    .regex(/^(|\/(?![/\\])[^\s\\]*|https?:\/\/[^\s\\]+)$/, '请填本站的路径（以 / 开头）或 http(s) 网址')
    .meta({ title: '链接' }),
  sort: z.int().min(0).max(9999).meta({ title: '排序' }),
  enabled: flag.meta({ title: '启用' }),
  startsAt: nullableDateTime.meta({ title: '开始时间' }),
  endsAt: nullableDateTime.meta({ title: '结束时间' }),
});

export const listCovers = defineCall({
  method: 'GET',
  path: 'core/sys/cover/',
  summary: '封面与横幅，按顺序：启用的，横幅在起止时间之内；带 id，其中一个',
  access: 'anyone',
  input: z.object({ kind: coverKind.optional(), id: id.optional() }),
  output: z.union([cover, z.array(cover)]),
});

export const listAllCovers = defineCall({
  method: 'GET',
  path: 'core/sys/cover/all',
  summary: '全部封面与横幅，停用的和不在时间之内的也在',
  access: 'cover:list',
  input: z.object({ kind: coverKind.optional() }),
  output: z.array(cover),
});

export const createCover = defineCall({
  method: 'POST',
  path: 'core/sys/cover/',
  summary: '添加封面或横幅；说明、链接与起止时间只用于横幅',
  access: 'cover:create',
  input: fields.partial().required({ kind: true, title: true, image: true }),
  output: cover,
});

export const updateCover = defineCall({
  method: 'PUT',
  path: 'core/sys/cover/',
  summary: '修改封面或横幅',
  access: 'cover:update',
  input: fields.omit({ kind: true }).partial().extend({ id }),
  output: cover,
});

export const removeCover = defineCall({
  method: 'DELETE',
  path: 'core/sys/cover/',
  summary: '删除封面或横幅',
  access: 'cover:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [listCovers, listAllCovers, createCover, updateCover, removeCover] as const;
