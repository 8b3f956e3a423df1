import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard, imageSize } from './essays.ts';
import { isReadPrice } from './money.ts';
import { userCard } from './users.ts';

const fields = z.object({
  name: z.string().trim().min(1).max(40).meta({ title: '名称' }),
  summary: z.string().trim().max(200).meta({ title: '简介' }),
  cover: z.string().max(300).meta({ title: '封面' }),
  price: z
    .int()
    .refine((fen) => fen === 0 || isReadPrice(fen), '价格从 1 元到 1000 元，或不单独出售')
    .meta({ title: '价格' }),
});

export const column = fields.extend({
  id,
  author: userCard,
  essayCount: z.int().meta({ description: '已上架的篇数' }),
  followerCount: z.int().meta({ description: '关注的人数' }),
  createdAt: time,
});
export type Column = z.output<typeof column>;

const essayRef = essayCard.pick({ id: true, slug: true, title: true });

/** A column with everything that its page shows beside the list of its essays. */
export const columnDetail = column.extend({
  wordCount: z.int().meta({ description: '已上架文章的总字数' }),
  paidCount: z.int().meta({ description: '其中要付费或会员才能读完的篇数' }),
  coverSize: imageSize.nullable().meta({ description: '封面的像素尺寸；没有封面或尺寸未知时为空' }),
  first: essayRef.nullable().meta({ description: '第一篇' }),
  mine: z.object({
    followed: z.boolean(),
    bought: z.boolean().meta({ description: '是否买下了整个专栏' }),
    finished: z.int().meta({ description: '读完的篇数' }),
    resume: essayRef
      .extend({ position: z.int(), progress: z.int().meta({ description: '读到百分之几' }) })
      .nullable()
      .meta({ description: '接着读的一篇；没有读过，或全部读完时为空' }),
    essays: z
      .array(z.object({ id, progress: z.int(), bought: z.boolean() }))
      .meta({ description: '读过或单独买过的，最多 500 篇' }),
  }),
});
export type ColumnDetail = z.output<typeof columnDetail>;

export const getColumn = defineCall({
  method: 'GET',
  path: 'core/essay/column/{id}',
  summary: '一个专栏，与自己在其中的阅读进度',
  access: 'anyone',
  scope: 'essay:read',
  input: z.object({ id }),
  output: columnDetail,
});

const columnFollowState = z.object({ followed: z.boolean(), followerCount: z.int() });
export type ColumnFollowState = z.output<typeof columnFollowState>;

export const followColumn = defineCall({
  method: 'POST',
  path: 'core/essay/column/follow',
  summary: '关注一个专栏，它有新文章时会收到通知；已经关注时不变',
  access: 'user',
  input: z.object({ columnId: id.meta({ title: '专栏' }) }),
  output: columnFollowState,
  errors: ['FOLLOW_SELF', 'BLOCKED'],
  limit: { max: 600, per: 3600 },
});

export const unfollowColumn = defineCall({
  method: 'DELETE',
  path: 'core/essay/column/follow',
  summary: '取消关注专栏；没有关注时不变',
  access: 'user',
  input: z.object({ columnId: id.meta({ title: '专栏' }) }),
  output: columnFollowState,
  limit: { max: 600, per: 3600 },
});

export const listFollowedColumns = defineCall({
  method: 'GET',
  path: 'core/essay/column/follow',
  summary: '自己关注的专栏，后关注的在前',
  access: 'user',
  input: listInput,
  output: pageOf(column.extend({ followedAt: time })),
});

export const listColumns = defineCall({
  method: 'GET',
  path: 'core/essay/column',
  summary: '某位作者的专栏（默认自己的）；带 id：其中一个',
  access: 'anyone',
  scope: 'essay:read',
  input: listInput.extend({
    id: id.optional(),
    authorId: id.optional().meta({ title: '作者' }),
  }),
  output: z.union([column, pageOf(column)]),
});

export const createColumn = defineCall({
  method: 'POST',
  path: 'core/essay/column',
  summary: '新建专栏',
  access: 'writer',
  input: fields.partial().required({ name: true }),
  output: column,
  errors: ['TOO_MANY_COLUMNS'],
});

export const updateColumn = defineCall({
  method: 'PUT',
  path: 'core/essay/column',
  summary: '修改专栏；essayIds 给出文章的次序',
  access: 'writer',
  input: fields.partial().extend({ id, essayIds: z.array(id).max(500).optional().meta({ title: '文章' }) }),
  output: column,
});

export const removeColumn = defineCall({
  method: 'DELETE',
  path: 'core/essay/column',
  summary: '删除专栏；其中的文章留下',
  access: 'writer',
  input: z.object({ id }),
  output: done,
  errors: ['COLUMN_SOLD'],
});

export const listStaffColumns = defineCall({
  method: 'GET',
  path: 'core/sys/column/',
  summary: '全部专栏，新的在前；名称以关键词开头，或最近建的两万个里含有它',
  access: 'column:list',
  input: listInput.extend({
    keyword: z.string().trim().max(40).optional().meta({ title: '名称' }),
    authorId: id.optional().meta({ title: '作者' }),
    priced: flag.optional().meta({ title: '单独出售' }),
    ...sortBy('createdAt', 'essayCount'),
  }),
  output: pageOf(column),
});

export const createStaffColumn = defineCall({
  method: 'POST',
  path: 'core/sys/column/',
  summary: '代一位作者新建专栏；作者会收到通知',
  access: 'column:create',
  input: fields
    .partial()
    .required({ name: true })
    .extend({ authorId: id.meta({ title: '作者' }) }),
  output: column,
  errors: ['TOO_MANY_COLUMNS'],
});

export const updateStaffColumn = defineCall({
  method: 'PUT',
  path: 'core/sys/column/',
  summary: '修改专栏；作者会收到通知，价格只影响以后的购买',
  access: 'column:update',
  input: fields.partial().extend({ id }),
  output: column,
});

export const removeStaffColumn = defineCall({
  method: 'DELETE',
  path: 'core/sys/column/',
  summary: '删除专栏；其中的文章留下',
  access: 'column:remove',
  input: z.object({ id }),
  output: done,
  errors: ['COLUMN_SOLD'],
});

export const calls = [
  getColumn,
  followColumn,
  unfollowColumn,
  listFollowedColumns,
  listColumns,
  createColumn,
  updateColumn,
  removeColumn,
  listStaffColumns,
  createStaffColumn,
  updateStaffColumn,
  removeStaffColumn,
] as const;
