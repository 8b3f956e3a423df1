import { z } from 'zod';
import { dayRange, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import {
  essayCard,
  essayFields,
  essaySlug,
  essayStatus,
  MAX_SITE_PINS,
  revisionStatus,
  tagName,
} from './essays.ts';
import { userCard } from './users.ts';

export const essayRecord = z.object({
  id,
  fromStatus: essayStatus.nullable(),
  toStatus: essayStatus,
  revision: z.boolean(),
  appeal: z.boolean(),
  reason: z.string(),
  user: userCard.nullable(),
  createdAt: time,
});
export type EssayRecord = z.output<typeof essayRecord>;

export const listEssayRecords = defineCall({
  method: 'GET',
  path: 'core/sys/essay/record',
  summary: '一篇文章的历次记录：谁、何时、为何，新的在前',
  access: 'essay:list',
  input: z.object({ id }),
  output: z.array(essayRecord),
  errors: ['GONE'],
});

export const staffEssay = essayCard.extend({
  revision: revisionStatus.nullable(),
  submittedAt: time.nullable(),
  appeal: z.boolean(),
  words: z.array(z.string()).meta({ description: '待审的文字里命中的敏感词' }),
  scheduledAt: time.nullable(),
  pinned: z.boolean().meta({ description: '是否置顶在首页' }),
  pinPosition: z.int().nullable().meta({ description: '在首页置顶的第几位；空：没有置顶' }),
});
export type StaffEssay = z.output<typeof staffEssay>;

export const essayCharge = z
  .enum(['free', 'paid', 'member'])
  .meta({ title: '收费', description: 'free 免费，paid 单篇出售，member 会员免费' });
export type EssayCharge = z.output<typeof essayCharge>;

const countFields = ['readCount', 'likeCount', 'cmtCount', 'collectCount'] as const;

export const listStaffEssays = defineCall({
  method: 'GET',
  path: 'core/sys/essay/',
  summary: '全部文章，新近改动的在前；标题以关键词开头，或最近改动的两万篇里含有它',
  access: 'essay:list',
  input: listInput.extend({
    keyword: z.string().trim().max(100).optional().meta({ title: '标题' }),
    status: essayStatus.optional(),
    categoryId: id.optional().meta({ title: '分类' }),
    authorId: id.optional().meta({ title: '作者' }),
    columnId: id.optional().meta({ title: '专栏' }),
    tag: z.string().trim().min(1).max(20).optional().meta({ title: '标签', description: '已上架的文章' }),
    charge: essayCharge.optional(),
    pinned: z.literal(FLAG.on).optional().meta({ title: '只看首页置顶的' }),
    from: dayRange.from.meta({ title: '上架从哪天', description: '北京时间' }),
    to: dayRange.to.meta({ title: '上架到哪天' }),
    ...sortBy('savedAt', 'publishedAt', ...countFields),
  }),
  output: pageOf(staffEssay),
});

export const categorizeEssay = defineCall({
  method: 'PUT',
  path: 'core/sys/essay/',
  summary: '改一篇已上架的文章的分类、标签与自定义网址；作者会收到通知',
  access: 'essay:update',
  input: essayFields
    .pick({ tags: true })
    .partial()
    .extend({
      id,
      categoryId: id.optional().meta({ title: '分类' }),
      slug: essaySlug.nullable().optional().meta({ title: '自定义网址', description: '空：去掉' }),
    }),
  output: staffEssay,
  errors: ['GONE', 'TRANSITION_REFUSED'],
});

export const pinSiteEssay = defineCall({
  method: 'PUT',
  path: 'core/sys/essay/pin',
  summary: `把一篇已上架的文章置顶在首页、换位置，或取消置顶；最多 ${MAX_SITE_PINS} 篇`,
  access: 'essay:pin',
  input: z.object({
    id,
    pinned: z.boolean().meta({ title: '首页置顶' }),
    position: z
      .int()
      .min(1)
      .max(MAX_SITE_PINS)
      .optional()
      .meta({ title: '位置', description: '第几位；不填时，新置顶的在最前，已置顶的不动' }),
  }),
  output: z.object({ id, pinned: z.boolean(), pinPosition: z.int().nullable() }),
  errors: ['GONE', 'TOO_MANY_PINNED', 'TRANSITION_REFUSED'],
});

const MAX_BULK_ESSAYS = 50;

/** Fields that are not given stay as they are. */
const bulkChange = z.object({
  categoryId: id.optional().meta({ title: '分类' }),
  authorId: id.optional().meta({ title: '作者' }),
  columnId: id.nullable().optional().meta({ title: '专栏', description: '新作者的专栏；空：移出专栏' }),
  addTags: essayFields.shape.tags.optional().meta({ title: '增加标签' }),
  removeTags: z.array(tagName).max(20, '最多 20 个标签').optional().meta({ title: '去掉标签' }),
  price: essayFields.shape.price.optional(),
  memberFree: essayFields.shape.memberFree.optional(),
});
export type BulkChange = z.output<typeof bulkChange>;

const bulkResult = z.object({
  id,
  title: z.string(),
  changed: z.boolean().meta({ description: '是否有改动；原来就是这样的，不算改动' }),
  error: z.string().nullable().meta({ description: '没有改成的原因；空：没有出错' }),
});
export type BulkResult = z.output<typeof bulkResult>;

export const changeEssays = defineCall({
  method: 'PUT',
  path: 'core/sys/essay/bulk',
  summary:
    '批量修改文章的分类、作者、专栏、标签与价格；每篇各自生效，逐篇报告结果。已下的订单不变，买过的人照常可读；换作者只影响以后的收益',
  access: 'essay:bulk',
  input: bulkChange.extend({
    ids: z.array(id).min(1).max(MAX_BULK_ESSAYS, `一次最多 ${MAX_BULK_ESSAYS} 篇`).meta({ title: '文章' }),
  }),
  output: z.array(bulkResult),
  limit: { max: 300, per: 3600 },
});

export const calls = [
  listStaffEssays,
  categorizeEssay,
  changeEssays,
  pinSiteEssay,
  listEssayRecords,
] as const;
