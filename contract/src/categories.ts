import { z } from 'zod';
import { done, flag, id } from './common.ts';
import { defineCall } from './define.ts';

/** Paths below `/essay/` that belong to other pages. */
export const reservedSlugs = ['create', 'edit', 'detail', 'mdetail'];

export const category = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  icon: z.string(),
  sort: z.int(),
  enabled: flag,
});
export type Category = z.output<typeof category>;

/** Categories of other programs often have English names. */
export const MAX_CATEGORY_NAME = 20;
export const categoryName = z.string().trim().min(1).max(MAX_CATEGORY_NAME).meta({ title: '名称' });

const fields = z.object({
  slug: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, '请用 1–32 位小写字母、数字或短横线，以字母开头')
    .refine((slug) => !reservedSlugs.includes(slug), '这个地址另有用处，换一个试试')
    .meta({ title: '地址' }),
  name: categoryName,
  icon: z
    .string()
    .trim()
    .regex(/^[a-z-]{0,30}$/, '请从图标列表中选择')
    .meta({ title: '图标' }),
  sort: z.int().min(0).max(9999).meta({ title: '排序' }),
  enabled: flag.meta({ title: '启用' }),
});

export const listCategories = defineCall({
  method: 'GET',
  path: 'core/sys/category/',
  summary: '分类，按顺序；访客只见启用的；带 id：其中一个',
  access: 'anyone',
  input: z.object({ id: id.optional() }),
  output: z.union([category, z.array(category)]),
});

export const createCategory = defineCall({
  method: 'POST',
  path: 'core/sys/category/',
  summary: '新建分类',
  access: 'category:create',
  input: fields.partial().required({ slug: true, name: true }),
  output: category,
  errors: ['CATEGORY_TAKEN'],
});

export const updateCategory = defineCall({
  method: 'PUT',
  path: 'core/sys/category/',
  summary: '修改分类',
  access: 'category:update',
  input: fields.partial().extend({ id }),
  output: category,
  errors: ['CATEGORY_TAKEN'],
});

export const removeCategory = defineCall({
  method: 'DELETE',
  path: 'core/sys/category/',
  summary: '删除分类',
  access: 'category:remove',
  input: z.object({ id }),
  output: done,
  errors: ['CATEGORY_IN_USE'],
});

export const calls = [listCategories, createCategory, updateCategory, removeCategory] as const;
