import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

export const staffSession = z.object({
  id,
  user: userCard.extend({ account: z.string() }),
  /** Whether the account has an enabled role. */
  isStaff: z.boolean(),
  via: z.enum(['register', 'password', 'code', 'qrcode']),
  device: z.string(),
  address: z.string(),
  region: z.string(),
  createdAt: time,
  /** To some ten minutes. */
  usedAt: time,
  /** The one that asks. */
  isCurrent: z.boolean(),
});
export type StaffSession = z.output<typeof staffSession>;

export const listSessions = defineCall({
  method: 'GET',
  path: 'core/sys/session/',
  summary: '登录：谁在哪台设备上登录着，最近用过的在前；usedAt 精确到十分钟',
  who: 'session:list',
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
  who: 'session:remove',
  input: z.object({ id }),
  output: done,
  errors: ['GRANT_TOO_MUCH'],
});
