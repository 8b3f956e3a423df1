import { z } from 'zod';
import { dayRange, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { identity, publicUser, userCard } from './users.ts';

export const staffUser = userCard.extend({
  account: z.string(),
  enabled: flag,
  region: z.string(),
  memberUntil: time.nullable(),
  counters: publicUser.shape.counters,
  createdAt: time,
});
export type StaffUser = z.output<typeof staffUser>;

const staffUserDetail = staffUser.extend({
  bio: z.string(),
  city: z.string(),
  company: z.string(),
  position: z.string(),
  homepage: z.string(),
  github: z.string(),
  emailBounce: z.string().nullable().meta({ description: '邮箱拒收邮件的原因' }),
  roles: z.array(z.object({ id, name: z.string(), enabled: flag })),
  invitedBy: userCard.nullable(),
});
export type StaffUserDetail = z.output<typeof staffUserDetail>;

export const listStaffUsers = defineCall({
  method: 'GET',
  path: 'core/sys/user/',
  summary: '用户列表',
  access: 'user:list',
  input: listInput.extend({
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词', description: '昵称、账号或邮箱' }),
    curIdentity: identity.optional(),
    enabled: flag.optional().meta({ title: '启用' }),
    isMember: flag.optional().meta({ title: '会员' }),
    ...dayRange,
    ...sortBy('createdAt', 'essays', 'followers', 'reads'),
  }),
  output: pageOf(staffUser),
});

export const getStaffUser = defineCall({
  method: 'GET',
  path: 'core/sys/user/detail',
  summary: '一位用户：资料、角色、由谁邀请',
  access: 'user:list',
  input: z.object({ id }),
  output: staffUserDetail,
});

export const updateStaffUser = defineCall({
  method: 'PUT',
  path: 'core/sys/user/',
  summary: '设置用户的身份，停用或启用，清空不当的资料；停用后所有登录立即失效，清空后本人收到通知',
  access: 'user:update',
  input: z.object({
    id,
    curIdentity: identity.optional(),
    enabled: flag.optional().meta({ title: '启用' }),
    clear: z
      .array(z.enum(['displayName', 'bio', 'headImg']))
      .max(3)
      .optional()
      .meta({ title: '清空', description: '昵称、简介、头像' }),
  }),
  output: staffUser,
  errors: ['LAST_SUPER_ADMIN'],
});

export const operation = z.object({
  id,
  user: userCard.nullable(),
  call: z.string(),
  summary: z.string(),
  target: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  input: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
  createdAt: time,
});

export const listOperations = defineCall({
  method: 'GET',
  path: 'core/sys/log/',
  summary: '操作日志：谁在何时何地做了什么，前后如何',
  access: 'log:list',
  input: listInput.extend({
    userId: id.optional().meta({ title: '操作人' }),
    call: z.string().max(80).optional().meta({ title: '操作' }),
    target: z.string().trim().max(80).optional().meta({ title: '对象', description: '例如 user:编号' }),
    keyword: z
      .string()
      .trim()
      .max(50)
      .optional()
      .meta({ title: '关键词', description: '操作的名字，或对象、请求编号、地址的开头' }),
    ...dayRange,
    ...sortBy('createdAt'),
  }),
  output: pageOf(operation),
});

export const calls = [listStaffUsers, getStaffUser, updateStaffUser, listOperations] as const;
