import { z } from 'zod';
import { defineCall } from './define.ts';

const MAX_CHECKED_LINKS = 50;

const linkCheck = z.object({
  url: z.string(),
  state: z.enum(['ok', 'dead', 'unknown']).meta({
    description: 'ok 打得开；dead 打不开；unknown 没能确认，如对方太慢或拒绝程序访问',
  }),
  reason: z.string().meta({ description: '打不开的原因' }),
});
export type LinkCheck = z.output<typeof linkCheck>;

export const checkLinks = defineCall({
  method: 'POST',
  path: 'core/essay/link',
  summary: '发布之前：正文里的链接能不能打开；本机和内网的地址不会去访问',
  access: 'writer',
  staffPermissions: ['essay:edit'],
  input: z.object({
    urls: z
      .array(z.string().max(2000))
      .min(1)
      .max(MAX_CHECKED_LINKS, `一次最多 ${MAX_CHECKED_LINKS} 个`)
      .meta({ title: '链接' }),
  }),
  output: z.object({ list: z.array(linkCheck) }),
  readOnly: true,
  maxBodyBytes: 512 * 1024,
  limit: { max: 60, per: 3600 },
});

export const calls = [checkLinks] as const;
