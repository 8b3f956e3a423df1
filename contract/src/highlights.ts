import { z } from 'zod';
import { CONTEXT_LENGTH } from './anchoring.ts';
import { commentStatus } from './comments.ts';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { highlightColors, MAX_QUOTE_LENGTH } from './highlight-colors.ts';

const MAX_NOTE_LENGTH = 2000;
/** Longer than any text. */
const MAX_POSITION = 1_000_000;

const essayId = id.meta({ title: '文章' });
const color = z.enum(highlightColors).meta({ title: '颜色' });
const position = z.int().min(0).max(MAX_POSITION).meta({ title: '位置' });
const note = z
  .string()
  .trim()
  .refine(
    (text) => text.length <= MAX_NOTE_LENGTH || [...text].length <= MAX_NOTE_LENGTH,
    `最多 ${MAX_NOTE_LENGTH} 个字`,
  )
  .meta({ title: '想法', maxLength: MAX_NOTE_LENGTH });

export const highlight = z.object({
  id,
  essay: z
    .object({
      id,
      slug: z.string().nullable(),
      title: z.string().nullable().meta({ description: '空：已下架或删除' }),
    })
    .meta({ description: '划的是哪篇文章' }),
  color,
  quote: z.string().meta({ description: '划线时的原文，不随修订改变' }),
  state: z
    .enum(['found', 'moved', 'orphaned'])
    .meta({ description: 'found 在原处，moved 随修订移动或改动过，orphaned 修订后原文已经没有了' }),
  start: position.meta({ description: '在现在的正文里的位置，不计空白' }),
  end: position,
  exact: z.string().meta({ description: '现在的正文里的这段话' }),
  note: z.string().meta({ description: '想法；空：没有写' }),
  thought: z
    .object({ cmtId: id, status: commentStatus })
    .nullable()
    .meta({ description: '公开的想法是哪条评论；空：只有自己看得到' }),
  createdAt: time,
  updatedAt: time,
});
export type Highlight = z.output<typeof highlight>;

export const listHighlights = defineCall({
  method: 'GET',
  path: 'core/essay/highlight',
  summary: '自己的划线与想法，新的在前；关键词在原文与想法里找',
  access: 'user',
  input: listInput.extend({
    essayId: essayId.optional(),
    color: color.optional(),
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }),
  }),
  output: pageOf(highlight),
});

const highlightedEssay = z.object({
  essay: highlight.shape.essay,
  count: z.int(),
  updatedAt: time,
});
export type HighlightedEssay = z.output<typeof highlightedEssay>;

export const listHighlightedEssays = defineCall({
  method: 'GET',
  path: 'core/essay/highlight/essay',
  summary: '自己划过线的文章与条数，最近划的在前',
  access: 'user',
  input: listInput,
  output: pageOf(highlightedEssay),
});

/** A passage that several readers highlighted. */
const passage = z.object({
  start: position,
  end: position,
  opening: z.string().meta({ description: '开头的几个字，用来核对页面上的正文是不是同一个版本' }),
  readers: z.int().meta({ description: '多少人划过；不到 3 人时为 0' }),
  thoughts: z.int().meta({ description: '多少条公开的想法' }),
});
export type Passage = z.output<typeof passage>;

export const getMarks = defineCall({
  method: 'GET',
  path: 'core/essay/highlight/mark',
  summary: '文章页上要画的：自己的划线，和多人划过的句子（最多 60 处；读不到全文的人只有试读部分）',
  access: 'anyone',
  input: z.object({ essayId }),
  output: z.object({ mine: z.array(highlight), passages: z.array(passage) }),
  errors: ['GONE'],
});

export const createHighlight = defineCall({
  method: 'POST',
  path: 'core/essay/highlight',
  summary: '划线；位置与前后文不计空白，以正文里找到的为准；同一段再划一次只改颜色和想法',
  access: 'user',
  input: z.object({
    essayId,
    color: color.default('yellow'),
    exact: z
      .string()
      .min(1, '请先选中一段文字')
      .max(2 * MAX_QUOTE_LENGTH, `最多划 ${MAX_QUOTE_LENGTH} 个字`)
      .meta({ title: '原文' }),
    prefix: z
      .string()
      .max(2 * CONTEXT_LENGTH)
      .default('')
      .meta({ title: '前文' }),
    suffix: z
      .string()
      .max(2 * CONTEXT_LENGTH)
      .default('')
      .meta({ title: '后文' }),
    start: position.default(0),
    note: note.optional(),
  }),
  output: highlight,
  errors: ['GONE', 'QUOTE_NOT_FOUND', 'TOO_MANY_HIGHLIGHTS', 'STALE_VERSION'],
  limit: { max: 300, per: 600 },
});

export const updateHighlight = defineCall({
  method: 'PUT',
  path: 'core/essay/highlight',
  summary: '改颜色或只有自己看得到的想法；公开的想法在评论里改',
  access: 'user',
  input: z.object({ id, color: color.optional(), note: note.optional() }),
  output: highlight,
  errors: ['THOUGHT_IS_PUBLIC'],
  limit: { max: 600, per: 600 },
});

export const removeHighlight = defineCall({
  method: 'DELETE',
  path: 'core/essay/highlight',
  summary: '删除划线与想法；公开的想法要先删除评论',
  access: 'user',
  input: z.object({ id }),
  output: done,
  errors: ['THOUGHT_IS_PUBLIC'],
});

export const calls = [
  listHighlights,
  listHighlightedEssays,
  getMarks,
  createHighlight,
  updateHighlight,
  removeHighlight,
] as const;
