import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';

/** Ordered from mildest to strictest. */
export const wordLevels = ['mask', 'hold', 'refuse'] as const;
export const wordLevel = z
  .enum(wordLevels)
  .meta({ title: '级别', description: 'mask 打码，hold 留待审核，refuse 拒绝' });
export type WordLevel = z.output<typeof wordLevel>;

export const word = z.object({
  id,
  word: z.string(),
  level: wordLevel,
  note: z.string(),
  enabled: flag,
  createdAt: time,
});
export type Word = z.output<typeof word>;

const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
const spelling = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(oneLine, '不能换行')
  .regex(/[\p{L}\p{N}\p{S}]/u, '要有文字，不能只是标点')
  .meta({ title: '敏感词' });

const fields = z.object({
  word: spelling,
  level: wordLevel,
  note: z.string().trim().max(100).regex(oneLine, '不能换行').meta({ title: '备注' }),
  enabled: flag.meta({ title: '启用' }),
});

/** Clients send longer lists in several calls. */
const MAX_BATCH_SIZE = 2000;

export const listWords = defineCall({
  method: 'GET',
  path: 'core/sys/word/',
  summary: '敏感词，新加的在前',
  access: 'word:list',
  input: listInput.extend({
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }),
    level: wordLevel.optional(),
    enabled: flag.optional().meta({ title: '启用' }),
    ...sortBy('createdAt', 'word'),
  }),
  output: pageOf(word),
});

export const createWords = defineCall({
  method: 'POST',
  path: 'core/sys/word/',
  maxBodyBytes: 512 * 1024,
  summary: '添加敏感词：word 一个；words 多个，已有的跳过',
  access: 'word:create',
  input: fields
    .partial()
    .required({ level: true })
    .extend({ words: z.array(spelling).min(1).max(MAX_BATCH_SIZE).optional().meta({ title: '敏感词' }) })
    .refine(({ word, words }) => (word === undefined) !== (words === undefined), {
      path: ['word'],
      error: '请给出一个敏感词，或一组',
    }),
  output: z.union([word, z.object({ created: z.int(), known: z.int() })]),
  errors: ['WORD_TAKEN'],
});

export const updateWord = defineCall({
  method: 'PUT',
  path: 'core/sys/word/',
  summary: '修改敏感词',
  access: 'word:update',
  input: fields.partial().extend({ id }),
  output: word,
  errors: ['WORD_TAKEN'],
});

export const removeWord = defineCall({
  method: 'DELETE',
  path: 'core/sys/word/',
  summary: '删除敏感词',
  access: 'word:remove',
  input: z.object({ id }),
  output: done,
});

export const testWords = defineCall({
  method: 'POST',
  path: 'core/sys/word/test',
  maxBodyBytes: 128 * 1024,
  summary: '一段文字会被怎样处理',
  access: 'word:list',
  input: z.object({
    text: z.string().max(20_000).meta({ title: '文字' }),
    isMarkdown: z.boolean().default(false).meta({ title: '按 Markdown', description: '代码里的不算' }),
  }),
  output: z.object({
    level: wordLevel.nullable(),
    /** The first matches in order; positions are in UTF-16 units, `end` is exclusive. */
    hits: z.array(z.object({ start: z.int(), end: z.int(), word: z.string(), level: wordLevel })),
    /** The text with words of level `mask` hidden. */
    masked: z.string(),
  }),
  readOnly: true,
  limit: { max: 240, per: 60 },
});

export const calls = [listWords, createWords, updateWord, removeWord, testWords] as const;
