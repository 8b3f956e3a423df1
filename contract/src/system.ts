import { z } from 'zod';
import { flag, id, pageInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { identity, userCard } from './users.ts';

export const staffUser = userCard.extend({
  account: z.string(),
  enabled: flag,
  region: z.string(),
  createdAt: time,
});
export type StaffUser = z.output<typeof staffUser>;

export const listStaffUsers = defineCall({
  method: 'GET',
  path: 'core/sys/user/',
  summary: '用户列表',
  who: 'user:list',
  input: pageInput.extend({ keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }) }),
  output: pageOf(staffUser),
});

export const updateStaffUser = defineCall({
  method: 'PUT',
  path: 'core/sys/user/',
  summary: '设置用户的身份，停用或启用；停用后所有登录立即失效',
  who: 'user:update',
  input: z.object({ id, curIdentity: identity.optional(), enabled: flag.optional().meta({ title: '启用' }) }),
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
  who: 'log:list',
  input: pageInput
    .pick({ page: true, pageSize: true, cursor: true })
    .extend({ userId: id.optional(), call: z.string().max(80).optional() }),
  output: pageOf(operation),
});
