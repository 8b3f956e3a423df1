import { z } from 'zod';
import { MAX_PREVIEW_SECTIONS } from './content-length.ts';
import { defineCall } from './define.ts';
import { essayFields, MAX_ESSAY_BODY_BYTES, tocEntry } from './essays.ts';

export const previewEssay = defineCall({
  method: 'POST',
  path: 'core/essay/preview',
  maxBodyBytes: MAX_ESSAY_BODY_BYTES,
  summary: '预览：与保存后的页面同一套排版',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: z.object({ content: essayFields.shape.content }),
  output: z.object({
    html: z.string(),
    toc: z.array(tocEntry),
    summary: z.string().meta({ description: '没有写摘要时，列表里显示的正文开头' }),
    wordCount: z.int(),
    readMinutes: z.int(),
  }),
  readOnly: true,
  limit: { max: 1200, per: 3600 },
});

const sectionId = z.string().max(16);

export const previewSections = defineCall({
  method: 'POST',
  path: 'core/essay/preview/sections',
  maxBodyBytes: MAX_ESSAY_BODY_BYTES,
  summary: '边写边预览：正文分成几节，只返回还没有的',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  scope: 'essay:write',
  input: z.object({
    content: essayFields.shape.content,
    known: z
      .array(sectionId)
      .max(MAX_PREVIEW_SECTIONS)
      .default([])
      .meta({ description: '已经有的各节的 id，来自上一次的返回' }),
  }),
  output: z.object({
    sections: z
      .array(z.object({ id: sectionId, html: z.string().nullable().meta({ description: '已经有的为空' }) }))
      .meta({ description: '按正文的顺序' }),
  }),
  readOnly: true,
  // One per second, as long as the author is typing.
  limit: { max: 3600, per: 3600 },
});

export const calls = [previewEssay, previewSections] as const;
