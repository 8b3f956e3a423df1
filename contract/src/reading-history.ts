import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard } from './essays.ts';

export const readEssay = defineCall({
  method: 'POST',
  path: 'core/essay/read',
  summary: '记一次阅读（每人每篇每天一次）与读到的位置',
  access: 'anyone',
  input: z.object({
    essayId: id,
    progress: z.int().min(0).max(100).optional().meta({ title: '进度' }),
    shareCode: z.string().max(32).optional(),
  }),
  output: z.object({ counted: z.boolean() }),
  limit: { max: 600, per: 600 },
});

export const listReadingHistory = defineCall({
  method: 'GET',
  path: 'core/essay/read',
  summary: '自己的阅读足迹，新的在前；keyword：标题、作者、标签或正文里有',
  access: 'user',
  input: listInput.extend({ keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }) }),
  output: pageOf(essayCard.extend({ progress: z.int(), readAt: time })),
});

export const listReadEssays = defineCall({
  method: 'GET',
  path: 'core/user/profile/read',
  summary: '读过的文章，新的在前；只有自己的看得到，他人的为空',
  access: 'anyone',
  input: listInput.extend({ userId: id.optional().meta({ title: '用户' }) }),
  output: listReadingHistory.output,
});

export const calls = [readEssay, listReadingHistory, listReadEssays] as const;
