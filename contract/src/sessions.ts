import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

const session = z.object({
  id,
  via: z.enum(['register', 'password', 'code', 'qrcode']),
  device: z.string(),
  address: z.string(),
  region: z.string(),
  createdAt: time,
  /** Accurate to about ten minutes. */
  usedAt: time,
  /** Whether it is the session of this request. */
  isCurrent: z.boolean(),
});
export type OwnSession = z.output<typeof session>;

export const listOwnSessions = defineCall({
  method: 'GET',
  path: 'core/account/session/',
  summary: '自己的登录：哪些设备登录着，最近用过的在前；usedAt 精确到十分钟',
  access: 'user',
  input: listInput,
  output: pageOf(session),
});

export const endOwnSession = defineCall({
  method: 'DELETE',
  path: 'core/account/session/',
  summary: '结束自己的一次登录，立即生效；不带 id：结束这一次以外的全部',
  access: 'user',
  input: z.object({ id: id.optional() }),
  output: done,
  errors: ['NOT_FOUND'],
});

export const staffSession = session.extend({
  user: userCard.extend({ account: z.string() }),
  isStaff: z.boolean(),
});
export type StaffSession = z.output<typeof staffSession>;

export const listSessions = defineCall({
  method: 'GET',
  path: 'core/sys/session/',
  summary: '登录：谁在哪台设备上登录着，最近用过的在前；usedAt 精确到十分钟',
  access: 'session:list',
  input: listInput.extend({
    keyword: z
      .string()
      .trim()
      .max(50)
      .optional()
      .meta({ title: '关键词', description: '账号、邮箱或昵称的开头' }),
    userId: id.optional().meta({ title: '用户' }),
    staff: flag.optional().meta({ title: '工作人员', description: '1 只看工作人员的' }),
    ...sortBy('usedAt', 'createdAt'),
  }),
  output: pageOf(staffSession),
});

export const endSession = defineCall({
  method: 'DELETE',
  path: 'core/sys/session/',
  summary: '结束一次登录，立即生效；对方的权限比自己多时不能',
  access: 'session:remove',
  input: z.object({ id }),
  output: done,
  errors: ['GRANT_TOO_MUCH'],
});

export const calls = [listOwnSessions, endOwnSession, listSessions, endSession] as const;
