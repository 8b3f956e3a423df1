import { z } from 'zod';
import { flag, id } from './common.ts';
import { defineCall } from './define.ts';
import { essayCard, markedText } from './essays.ts';
import { userCard } from './users.ts';

export const suggestKeywords = defineCall({
  method: 'GET',
  path: 'core/essay/suggest',
  summary: '搜索框的联想：词、标签、作者、专栏与文章',
  access: 'anyone',
  input: z.object({
    keyword: z.string().max(50),
    essays: flag.optional().meta({ title: '文章', description: '0：不要文章' }),
  }),
  output: z.object({
    words: z.array(z.string()),
    tags: z.array(z.string()),
    authors: z.array(userCard.extend({ essayCount: z.int(), followerCount: z.int() })),
    columns: z.array(
      z.object({
        id,
        name: z.string(),
        essayCount: z.int(),
        author: userCard.pick({ id: true, displayName: true }),
      }),
    ),
    essays: z.array(
      essayCard.pick({ id: true, slug: true }).extend({ title: markedText, author: z.string() }),
    ),
    popular: z.literal(true).optional().meta({ description: '没有相关的文章，这些是热门的' }),
  }),
});

export const calls = [suggestKeywords] as const;
