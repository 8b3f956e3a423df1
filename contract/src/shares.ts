import { z } from 'zod';
import { id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard } from './essays.ts';

export const shareChannels = ['link', 'poster', 'wechat', 'weibo'] as const;
const channel = z.enum(shareChannels).meta({ title: '渠道' });
export const shareCode = z
  .string()
  .regex(/^[0-9A-Za-z]{8,16}$/, '分享码的格式不对')
  .meta({ title: '分享码' });

const share = z.object({
  code: z.string(),
  url: z.string().meta({ description: '带 ?s=分享码 的文章地址' }),
  channel,
  essay: essayCard.nullable().meta({ description: '空：文章已不在架上' }),
  readCount: z.int().meta({ description: '带来的阅读，每人每天一次，不算自己' }),
  createdAt: time,
});
export type Share = z.output<typeof share>;

export const shareEssay = defineCall({
  method: 'POST',
  path: 'core/essay/share',
  summary: '分享：同一人、同一篇、同一渠道总是同一个分享码',
  access: 'user',
  input: z.object({
    essayId: id.meta({ title: '文章' }),
    channel,
    prepare: z
      .literal(true)
      .optional()
      .meta({ title: '只准备', description: '只取分享码，先不计数；再不带它调用一次，或有人从它而来时才计' }),
  }),
  output: z.object({
    code: z.string(),
    url: z.string(),
    qr: z.string().meta({ description: 'url 的二维码，SVG 图片' }),
  }),
  errors: ['GONE'],
  limit: { max: 240, per: 3600 },
});

export const listShares = defineCall({
  method: 'GET',
  path: 'core/essay/share',
  summary: '自己的分享与带来的阅读，新的在前',
  access: 'user',
  input: listInput,
  output: pageOf(share),
});

export const listSharedEssays = defineCall({
  method: 'GET',
  path: 'core/user/profile/share',
  summary: '某人（默认自己）分享过的文章，新的在前，同一篇只出现一次；对方不公开时为空',
  access: 'anyone',
  input: listInput.extend({ userId: id.optional().meta({ title: '用户' }) }),
  output: pageOf(essayCard.extend({ sharedAt: time })),
});

export const readShare = defineCall({
  method: 'POST',
  path: 'core/essay/share/read',
  summary: '从分享而来的阅读：每个访客每个分享每天记一次，分享者自己不算',
  access: 'anyone',
  input: z.object({ code: shareCode }),
  output: z.object({ counted: z.boolean() }),
  errors: ['GONE'],
  limit: { max: 600, per: 600 },
});

export const calls = [shareEssay, listShares, listSharedEssays, readShare] as const;
