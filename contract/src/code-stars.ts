import { z } from 'zod';
import { done, flag, id, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

export const starRanges = ['week', 'month', 'all'] as const;
const range = z.enum(starRanges).meta({ title: '范围' });
export type StarRange = z.output<typeof range>;

/** Points per event; the ranking page shows them to readers. */
export const starWeights = { reads: 1, likes: 10, collects: 20, rewards: 50 } as const;

const star = z.object({
  rank: z.int(),
  user: userCard,
  score: z.int().meta({ description: '阅读 ×1 + 点赞 ×10 + 收藏 ×20 + 打赏 ×50' }),
  reads: z.int(),
  likes: z.int(),
  collects: z.int(),
  rewards: z.int(),
});
export type Star = z.output<typeof star>;

const pick = z.object({ user: userCard, note: z.string(), sort: z.int(), pickedAt: time });
export type StarPick = z.output<typeof pick>;

export const listStars = defineCall({
  method: 'GET',
  path: 'core/code/star/',
  summary: '码星：作者的排名（近 7 天、近 30 天、全部）与编辑推荐',
  access: 'anyone',
  input: z.object({ range: range.default('week'), limit: z.int().min(1).max(100).default(50) }),
  output: z.object({
    range,
    list: z.array(star),
    picks: z.array(pick),
    updatedAt: time.nullable().meta({ description: '排名何时算出' }),
  }),
});

export const pickStar = defineCall({
  method: 'PUT',
  path: 'core/code/star/',
  summary: '推荐一位作者，或取消推荐',
  access: 'star:update',
  input: z.object({
    userId: id.meta({ title: '作者' }),
    picked: flag.meta({ title: '推荐' }),
    note: z.string().trim().max(60).optional().meta({ title: '推荐语' }),
    sort: z.int().min(0).max(9999).optional().meta({ title: '次序' }),
  }),
  output: done,
  errors: ['TOO_MANY_PICKS'],
});

export const calls = [listStars, pickStar] as const;
