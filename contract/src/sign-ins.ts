import { z } from 'zod';
import { dayRange, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

/** How somebody signed in or tried to; from `change` on only failures are recorded. */
export const signInWays = [
  'password',
  'code',
  'qrcode',
  'register',
  'change',
  'reset',
  'reauth',
  'bind',
  'token',
] as const;
export const signInReasons = ['password', 'totp', 'code', 'locked', 'disabled', 'qrcode', 'token'] as const;

const signIn = z.object({
  id,
  succeeded: z.boolean(),
  via: z.enum(signInWays),
  reason: z.enum(signInReasons).nullable().meta({ description: '失败的原因；空：成功' }),
  address: z.string(),
  region: z.string(),
  device: z.string(),
  createdAt: time,
});
export type SignIn = z.output<typeof signIn>;

export const listOwnSignIns = defineCall({
  method: 'GET',
  path: 'core/account/sign-in/',
  summary: '自己账号最近的登录，成功与失败，新的在前；保留六个月',
  access: 'user',
  input: listInput,
  output: pageOf(signIn),
});

const staffSignIn = signIn.extend({
  account: z
    .string()
    .meta({ description: '账号；填的账号不存在时，是 unknown: 加一段散列，因为常有人把密码填进账号框' }),
  user: userCard.nullable(),
});
export type StaffSignIn = z.output<typeof staffSignIn>;

export const listSignIns = defineCall({
  method: 'GET',
  path: 'core/sys/sign-in/',
  summary: '登录记录：谁在何时何地用什么登录，成功与失败；保留六个月',
  access: 'sign-in:list',
  input: listInput.extend({
    keyword: z.string().trim().toLowerCase().max(254).optional().meta({
      title: '关键词',
      description: '账号、邮箱、手机号或 IP 地址；不存在的账号也可以，只要当时填的就是它',
    }),
    userId: id.optional().meta({ title: '用户' }),
    address: z.string().trim().toLowerCase().max(45).optional().meta({ title: '地址' }),
    result: z.enum(['succeeded', 'failed']).optional().meta({ title: '结果' }),
    ...dayRange,
    ...sortBy('createdAt'),
  }),
  output: pageOf(staffSignIn),
});

export const calls = [listOwnSignIns, listSignIns] as const;
