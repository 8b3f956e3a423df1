import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

const figures = z.object({
  reads: z.int(),
  likes: z.int(),
  comments: z.int(),
  collects: z.int(),
  shares: z.int(),
  income: z.int().meta({ description: '收益，分；售出与打赏减去退款' }),
});

export const getStats = defineCall({
  method: 'GET',
  path: 'core/user/stat',
  summary: '作者自己的数字：合计，与最近若干天每天的变化（按北京时间）',
  who: 'writer',
  input: z.object({ days: z.int().min(7).max(366).default(30).meta({ title: '天数' }) }),
  output: z.object({
    total: figures.extend({ followers: z.int(), essays: z.int() }),
    days: z.array(
      figures.extend({ day: z.string().meta({ description: 'YYYY-MM-DD' }), followers: z.int() }),
    ),
  }),
});

const essayFigures = figures.extend({ id, title: z.string(), publishedAt: time.nullable() });
export type EssayFigures = z.output<typeof essayFigures>;

export const listEssayStats = defineCall({
  method: 'GET',
  path: 'core/user/stat/essay',
  summary: '作者自己发布过的每篇文章的数字，多的（新的）在前',
  who: 'writer',
  input: listInput.extend({
    sort: z
      .enum(['publishedAt', 'reads', 'likes', 'comments', 'collects', 'shares', 'income'])
      .default('publishedAt')
      .meta({ title: '排序字段' }),
  }),
  output: pageOf(essayFigures),
});
