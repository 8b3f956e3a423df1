import { z } from 'zod';
import { id, time } from './common.ts';
import { defineCall } from './define.ts';

export const downloadEssay = defineCall({
  method: 'POST',
  path: 'core/essay/download',
  summary:
    '能读全文的人：取一个五分钟内有效的下载地址；带 attachmentId 为附件，否则为文章本身（Markdown 或 EPUB）',
  access: 'anyone',
  input: z.object({
    essayId: id.meta({ title: '文章' }),
    format: z.enum(['md', 'epub']).default('md').meta({ title: '格式' }),
    attachmentId: id.optional().meta({ title: '附件' }),
  }),
  output: z.object({ url: z.string(), expiresAt: time }),
  errors: ['NOT_FOUND', 'GONE', 'FORBIDDEN'],
  limit: { max: 240, per: 600 },
});

export const calls = [downloadEssay] as const;
