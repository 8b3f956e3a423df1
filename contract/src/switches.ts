import { z } from 'zod';
import { defineCall } from './define.ts';

/** What operators can close at once; `site.ts` holds the settings of looks and contents. */
export const switches = z.object({
  registration: z.enum(['open', 'invited', 'closed']).meta({ title: '注册' }),
  /** Besides the code of any user; empty: none. */
  inviteCode: z
    .string()
    .trim()
    .regex(/^([\w-]{6,32})?$/, '请用 6–32 位字母、数字、下划线或短横线')
    .meta({ title: '本站邀请码' }),
  comments: z.enum(['open', 'reviewed', 'off']).meta({ title: '评论' }),
  reviewedComments: z.int().min(0).max(100).meta({
    title: '新用户先审后发的评论数',
    description: '公开的评论还不满这么多条的人，先审后发；0：不限',
  }),
  rewards: z.boolean().meta({ title: '打赏' }),
  letters: z.boolean().meta({ title: '私信' }),
  chats: z.boolean().meta({ title: '聊天' }),
  maintenance: z.boolean().meta({ title: '维护模式' }),
  maintenanceText: z.string().trim().max(500).meta({ title: '维护页面上的话' }),
});
export type Switches = z.output<typeof switches>;

export const publicSwitches = switches.pick({
  registration: true,
  comments: true,
  rewards: true,
  letters: true,
  chats: true,
  maintenance: true,
});

export const getSwitches = defineCall({
  method: 'GET',
  path: 'core/sys/switch/',
  summary: '开关：注册、评论、打赏、私信、聊天与维护模式',
  access: 'switch:list',
  input: z.object({}),
  output: switches,
});

export const updateSwitches = defineCall({
  method: 'PUT',
  path: 'core/sys/switch/',
  summary: '修改开关；只改所给的，立即生效',
  access: 'switch:update',
  input: switches.partial(),
  output: switches,
});

export const calls = [getSwitches, updateSwitches] as const;
