import { z } from 'zod';
import { done, id, time } from './common.ts';
import { defineCall, tokenScopes } from './define.ts';
import { challenge, password } from './users.ts';

const scope = z.enum(tokenScopes).meta({
  title: '权限',
  description:
    'essay:read 读自己能读的文章，essay:write 写文章，essay:submit 提交、上架与下架，upload:write 上传',
});

const apiToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(scope),
  expiresAt: time.nullable().meta({ description: '空：长期有效' }),
  usedAt: time.nullable().meta({ description: '大约何时用过' }),
  usedAddress: z.string(),
  createdAt: time,
});
export type ApiToken = z.output<typeof apiToken>;

export const tokenLifetimes = [30, 90, 365, null] as const;

export const listTokens = defineCall({
  method: 'GET',
  path: 'core/user/token/',
  summary: '自己的 API 令牌，新的在前',
  access: 'user',
  input: z.object({}),
  output: z.object({ list: z.array(apiToken) }),
});

export const createToken = defineCall({
  method: 'POST',
  path: 'core/user/token/',
  summary: '新建 API 令牌，最多 20 个；token 只给这一次',
  access: 'writer',
  secret: true,
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
      .meta({ title: '名称' }),
    scopes: z
      .array(scope)
      .min(1, '请选择权限')
      .transform((list) => tokenScopes.filter((each) => list.includes(each)))
      .meta({ title: '权限' }),
    days: z
      .union(tokenLifetimes.map((days) => z.literal(days)))
      .meta({ title: '有效期', description: '天数；null 为长期有效' }),
    password: password
      .optional()
      .meta({ title: '密码', description: '没有开启两步验证时，给出它就不必先再次验证身份' }),
    challenge,
  }),
  output: apiToken.extend({ token: z.string() }),
  errors: [
    'WRONG_PASSWORD',
    'ACCOUNT_LOCKED',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
    'REAUTH_REQUIRED',
    'CHANGE_LOCKED',
  ],
  limit: { max: 20, per: 600 },
});

export const removeToken = defineCall({
  method: 'DELETE',
  path: 'core/user/token/',
  summary: '删除 API 令牌，立即失效',
  access: 'user',
  input: z.object({ id }),
  output: done,
});

export const calls = [listTokens, createToken, removeToken] as const;
