import { z } from 'zod';
import { id, listInput, pageOf, sortBy } from './common.ts';
import { defineCall } from './define.ts';
import { tocEntry } from './essays.ts';
import { essayRecord, staffEssay } from './staff-essays.ts';

export const listAuditQueue = defineCall({
  method: 'GET',
  path: 'core/sys/essay/queue',
  summary: '待审核的文章与修订，先提交的在前',
  access: 'essay:audit',
  input: listInput.extend({
    keyword: z.string().trim().max(100).optional().meta({ title: '标题' }),
    categoryId: id.optional().meta({ title: '分类' }),
    authorId: id.optional().meta({ title: '作者' }),
    kind: z
      .enum(['first', 'revision'])
      .optional()
      .meta({ title: '类型', description: 'first 文章，revision 修订' }),
    ...sortBy('submittedAt', 'wordCount'),
  }),
  output: pageOf(staffEssay),
});

export const getAuditEssay = defineCall({
  method: 'GET',
  path: 'core/sys/essay/audit',
  summary: '审核所需：待审的排版与原文、已上架的原文、敏感词、申诉与历次记录',
  access: 'essay:audit',
  input: z.object({ id }),
  output: staffEssay.extend({
    version: z.int(),
    html: z.string(),
    toc: z.array(tocEntry),
    shareCover: z.string().meta({ description: '分享卡片的方图；空：用封面' }),
    content: z.string(),
    facts: z
      .array(z.object({ field: z.string(), value: z.string() }))
      .meta({ description: '价格、声明、附件等，以文字写出' }),
    changes: z
      .array(z.object({ field: z.string(), before: z.string(), after: z.string() }))
      .meta({ description: '与已上架的版本相比，标题、摘要等的改动' }),
    publishedContent: z.string().nullable(),
    appealText: z.string().nullable(),
    hasDiagrams: z.boolean(),
    records: z.array(essayRecord),
  }),
  errors: ['GONE'],
});

export const calls = [listAuditQueue, getAuditEssay] as const;
