import { z } from 'zod';
import { id } from './common.ts';
import { defineCall } from './define.ts';

/** How long a deletion in the author's list can be undone. */
export const UNDO_MINUTES = 10;
const MAX_CHANGED_ESSAYS = 50;

export const countOwnEssays = defineCall({
  method: 'GET',
  path: 'core/essay/own',
  summary: '自己的文章一共有多少，各个状态有多少',
  access: 'user',
  scope: 'essay:read',
  input: z.object({}),
  output: z.object({
    total: z.int(),
    counts: z
      .array(z.int())
      .meta({ description: '按状态的编号排列：草稿、待审核、待上架、已上架、已下架、已驳回' }),
  }),
});

export const ownEssayActs = ['shelve', 'unshelve', 'remove', 'restore', 'move'] as const;
export type OwnEssayAct = (typeof ownEssayActs)[number];

const ownEssayResult = z.object({
  id,
  title: z.string(),
  changed: z.boolean(),
  columnId: id.nullable().meta({ description: '之前在哪个专栏' }),
  pinPosition: z.int().nullable().meta({ description: '之前在主页置顶的第几位；空：没有置顶' }),
  error: z.string().nullable().meta({ description: '没有改成的原因' }),
});
export type OwnEssayResult = z.output<typeof ownEssayResult>;

export const changeOwnEssays = defineCall({
  method: 'PUT',
  path: 'core/essay/own',
  summary: `对自己的几篇文章做同一件事；一篇不成不影响别的。删除的没有上架的文章，${UNDO_MINUTES} 分钟内可以恢复`,
  access: 'user',
  input: z.object({
    ids: z
      .array(id)
      .min(1)
      .max(MAX_CHANGED_ESSAYS, `一次最多 ${MAX_CHANGED_ESSAYS} 篇`)
      .meta({ title: '文章' }),
    act: z.enum(ownEssayActs).meta({
      title: '操作',
      description: 'shelve 上架，unshelve 下架，remove 删除，restore 恢复删除的，move 移到专栏',
    }),
    columnId: id.nullable().optional().meta({ title: '专栏', description: '移到哪个专栏；空：移出专栏' }),
  }),
  output: z.object({ list: z.array(ownEssayResult) }),
  limit: { max: 600, per: 3600 },
});

export const calls = [countOwnEssays, changeOwnEssays] as const;
