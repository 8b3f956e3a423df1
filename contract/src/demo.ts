import { z } from 'zod';
import { done } from './common.ts';
import { defineCall } from './define.ts';

const demo = z.object({
  users: z.int().meta({ description: '示例用户' }),
  essays: z.int().meta({ description: '他们的文章' }),
  others: z
    .object({
      comments: z.int().meta({ description: '写在示例文章下的，或在示例用户评论下的回复' }),
      conversations: z.int().meta({ description: '与示例用户的私信和私聊' }),
      orders: z.int().meta({ description: '付给示例用户的，款项退回余额' }),
    })
    .meta({ description: '其他用户的、会一起移除的' }),
  removal: z
    .object({
      status: z.enum(['waiting', 'running', 'failed']),
      progress: z.int().min(0).max(100).meta({ description: '百分数' }),
      message: z.string().meta({ description: '失败的原因' }),
    })
    .nullable()
    .meta({ description: '正在进行或没有成功的移除' }),
});
export type Demo = z.output<typeof demo>;

export const getDemo = defineCall({
  method: 'GET',
  path: 'core/sys/demo/',
  summary: '示例内容有多少，移除时会一起移除什么；没有示例内容时 demo 为空',
  access: 'demo:remove',
  input: z.object({}),
  output: z.object({ demo: demo.nullable() }),
});

export const removeDemo = defineCall({
  method: 'DELETE',
  path: 'core/sys/demo/',
  summary: '移除示例用户和他们的全部内容：在后台进行，不能撤销',
  access: 'demo:remove',
  input: z.object({}),
  output: done,
  errors: ['DEMO_HAS_PAYMENTS'],
});

export const calls = [getDemo, removeDemo] as const;
