import { z } from 'zod';
import { dayRange, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

const figures = z.object({
  reads: z.int(),
  likes: z.int(),
  comments: z.int(),
  collects: z.int(),
  shares: z.int(),
  income: z.int().meta({ description: '收益，分；售出与打赏减去退款' }),
});

const dayFigures = figures.extend({
  day: z.string().meta({ description: 'YYYY-MM-DD' }),
  followers: z.int(),
});

export const getStats = defineCall({
  method: 'GET',
  path: 'core/user/stat',
  summary: '作者自己的数字：合计，与最近若干天每天的变化（按北京时间）',
  access: 'writer',
  input: z.object({ days: z.int().min(7).max(366).default(30).meta({ title: '天数' }) }),
  output: z.object({
    total: figures.extend({ followers: z.int(), essays: z.int() }),
    days: z.array(dayFigures),
    before: z.array(dayFigures).meta({ description: '前一段同样长的日子' }),
  }),
});

export const PLOT_DAYS = 30;

export const listEssayPlots = defineCall({
  method: 'POST',
  path: 'core/user/stat/plot',
  summary: `自己的几篇文章：最近 ${PLOT_DAYS} 天每天的阅读，与收益`,
  access: 'user',
  input: z.object({ ids: z.array(id).min(1).max(50).meta({ title: '文章' }) }),
  output: z.object({
    list: z.array(
      z.object({
        id,
        reads: z.array(z.int()).meta({ description: '旧的在前，最后是今天' }),
        income: z.int().meta({ description: '收益，分；不含退款和整个专栏的出售' }),
      }),
    ),
  }),
  readOnly: true,
});

const essayFigures = figures.extend({ id, title: z.string(), publishedAt: time.nullable() });
export type EssayFigures = z.output<typeof essayFigures>;

export const listEssayStats = defineCall({
  method: 'GET',
  path: 'core/user/stat/essay',
  summary: '作者自己发布过的每篇文章的数字，多的（新的）在前',
  access: 'writer',
  input: listInput.extend({
    sort: z
      .enum(['publishedAt', 'reads', 'likes', 'comments', 'collects', 'shares', 'income'])
      .default('publishedAt')
      .meta({ title: '排序字段' }),
  }),
  output: pageOf(essayFigures),
});

const siteFigures = z.object({
  reads: z.int(),
  registrations: z.int(),
  publications: z.int().meta({ description: '这一天上架的文章' }),
  comments: z.int(),
  messages: z.int().meta({ description: '私信与聊天' }),
  turnover: z.int().nullable().meta({ description: '流水，分：付清的订单，不含充值；没有财务权限时为空' }),
  refunded: z.int().nullable().meta({ description: '退款，分' }),
});
export type SiteFigures = z.output<typeof siteFigures>;

export const getSiteStats = defineCall({
  method: 'GET',
  path: 'core/sys/stat/',
  summary: '全站每天的数字、合计、与前一段同样长的日子相比，读得最多的文章与作者（按北京时间）',
  access: 'stat:list',
  input: z.object({
    days: z.int().min(1).max(366).default(30).meta({ title: '天数', description: '给了起止日期时不看它' }),
    ...dayRange,
  }),
  output: z.object({
    from: z.string().meta({ description: 'YYYY-MM-DD' }),
    to: z.string(),
    days: z.array(siteFigures.extend({ day: z.string() })),
    total: siteFigures,
    before: siteFigures.meta({ description: '前一段同样长的日子的合计' }),
    updatedAt: time.nullable().meta({ description: '今天的数字是什么时候的；还没有统计过时为空' }),
    tops: z
      .object({
        updatedAt: time,
        essays: z.array(
          z.object({
            id,
            title: z.string(),
            author: z.object({ id, displayName: z.string() }),
            reads: z.int(),
          }),
        ),
        writers: z.array(z.object({ id, displayName: z.string(), headImg: z.string(), reads: z.int() })),
      })
      .nullable()
      .meta({ description: '这段日子还没有统计过时为空' }),
    refreshing: z.boolean().meta({ description: '正在重新统计，稍后再问就有' }),
  }),
});

const pendingCount = z.int().nullable();

export const getPendingCounts = defineCall({
  method: 'GET',
  path: 'core/sys/stat/todo',
  summary: '工作人员等着要做的事各有多少；没有权限看的为空',
  access: 'user',
  input: z.object({}),
  output: z.object({
    essays: pendingCount.meta({ description: '待审核的文章' }),
    comments: pendingCount.meta({ description: '待审的评论' }),
    reports: pendingCount.meta({ description: '待处理的举报' }),
    applications: pendingCount.meta({ description: '待处理的专家申请' }),
    withdrawals: pendingCount.meta({ description: '待审批的提现' }),
  }),
});

export const calls = [getStats, listEssayPlots, listEssayStats, getSiteStats, getPendingCounts] as const;
