import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const MAX_LETTER_LENGTH = 5000;
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

const threadId = id.meta({ title: '往来' });
const about = z.object({ id, title: z.string() }).nullable().meta({ description: '谈的是哪篇文章' });

const letter = z.object({
  id,
  threadId,
  from: userCard.nullable().meta({ description: '空：已注销' }),
  to: userCard.nullable(),
  content: z.string(),
  html: z.string(),
  parentId: id.nullable().meta({ description: '回复的是哪一封' }),
  read: z.boolean().meta({ description: '收信人读过了' }),
  createdAt: time,
});
export type Letter = z.output<typeof letter>;

const thread = z.object({
  id,
  subject: z.string().meta({ description: '可能为空' }),
  essay: about,
  other: userCard.nullable().meta({ description: '对方；空：已注销' }),
  excerpt: z.string().meta({ description: '最近一封的开头' }),
  fromMe: z.boolean().meta({ description: '最近一封是自己写的' }),
  unread: z.int(),
  letterCount: z.int(),
  updatedAt: time,
});
export type Thread = z.output<typeof thread>;

export const listLetters = defineCall({
  method: 'GET',
  path: 'core/essay/pri/msg',
  summary: '私信：不给 threadId 时是自己的往来，新近的在前，可按文字找；给出时是其中的信，先写的在前',
  access: 'user',
  feature: 'letters',
  input: listInput.extend({
    threadId: threadId.optional(),
    keyword: z
      .string()
      .trim()
      .max(50)
      .optional()
      .meta({ title: '关键词', description: '对方的昵称、标题或信里的文字；在最近的 2000 份往来里找' }),
  }),
  output: z.union([
    pageOf(letter).extend({
      thread,
      canSend: z.boolean(),
      why: z.string().meta({ description: '不能再写的原因，一句话；能写时为空' }),
    }),
    pageOf(thread),
  ]),
});

export const sendLetter = defineCall({
  method: 'POST',
  path: 'core/essay/pri/msg',
  summary: '写一封私信；parentId：回复往来里的一封。对方没有关注我、也没有回复时最多 3 封',
  access: 'user',
  feature: 'letters',
  input: z.object({
    toUserId: id.meta({ title: '收信人' }),
    subject: z
      .string()
      .trim()
      .max(60, '标题最多 60 个字')
      .regex(ONE_LINE, '标题不能换行')
      .optional()
      .meta({ title: '标题' }),
    content: z
      .string()
      .trim()
      .min(1, '请写点什么')
      .refine(
        (text) => text.length <= MAX_LETTER_LENGTH || [...text].length <= MAX_LETTER_LENGTH,
        `最多 ${MAX_LETTER_LENGTH} 个字`,
      )
      .meta({ title: '内容', description: 'Markdown，同评论', maxLength: MAX_LETTER_LENGTH }),
    essayId: id.optional().meta({ title: '文章' }),
    parentId: id.optional().meta({ title: '回复的信' }),
  }),
  output: letter,
  errors: ['MESSAGE_SELF', 'BLOCKED', 'STRANGER_LIMIT', 'WORDS_REFUSED', 'FORBIDDEN'],
  limit: { max: 60, per: 600 },
});

export const readThread = defineCall({
  method: 'PUT',
  path: 'core/essay/pri/msg',
  summary: '往来里的信都读过了',
  access: 'user',
  feature: 'letters',
  input: z.object({ threadId }),
  output: done,
});

export const removeThread = defineCall({
  method: 'DELETE',
  path: 'core/essay/pri/msg',
  summary: '从自己这里删去一份往来；对方那里还在，对方再写时它会带着新的信回来',
  access: 'user',
  feature: 'letters',
  input: z.object({ threadId }),
  output: done,
});

export const calls = [listLetters, sendLetter, readThread, removeThread] as const;
