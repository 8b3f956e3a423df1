import { z } from 'zod';
import { id, listInput, oneOf, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { TREND_TARGET } from './enums.ts';
import { userCard } from './users.ts';

/** Indexed by trend type (0–19): the Chinese verb, and who may see the entry. */
export const trendTypes = [
  ['阅读了', 'owner'],
  ['点赞了', 'everyone'],
  ['分享了', 'everyone'],
  ['分享带读了', 'everyone'],
  ['评论了', 'everyone'],
  ['回复评论于', 'everyone'],
  ['收藏了', 'everyone'],
  ['下载了', 'everyone'],
  ['注册了', 'everyone'],
  ['关注了', 'everyone'],
  ['打赏了', 'everyone'],
  ['回复打赏于', 'everyone'],
  ['购买了', 'owner'],
  ['私信于', 'owner'],
  ['回复私信于', 'owner'],
  ['私聊于', 'owner'],
  ['回复私聊于', 'owner'],
  ['群聊于', 'owner'],
  ['回复群聊于', 'owner'],
  ['搜索了', 'owner'],
] as const satisfies readonly (readonly [verb: string, seenBy: 'everyone' | 'owner'])[];

const trend = z.object({
  id,
  type: z.int().min(0).max(19),
  verb: z.string().meta({ description: '中文动词，后接「文章」或「主页」' }),
  targetKind: oneOf(TREND_TARGET.essay, TREND_TARGET.home).meta({ description: '0 文章，1 主页' }),
  target: z
    .object({
      id,
      slug: z.string().nullable().optional().meta({ description: '文章的自定义网址' }),
      title: z.string(),
      user: userCard.optional(),
    })
    .nullable(),
  keyword: z.string().optional().meta({ description: '搜索的词，只在「搜索了」里有' }),
  createdAt: time,
});
export type Trend = z.output<typeof trend>;

export const listTrends = defineCall({
  method: 'GET',
  path: 'core/user/trend',
  summary: '动态：自己的全部；他人的只有公开的几类，且对方愿意公开时',
  access: 'anyone',
  input: listInput.extend({
    userId: id.optional().meta({ title: '用户' }),
    type: z.int().min(0).max(19).optional().meta({ title: '类型' }),
  }),
  output: pageOf(trend),
});

export const calls = [listTrends] as const;
