import { z } from 'zod';
import { done, flag, id, listInput, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';
import { fen } from './prices.ts';
import { userCard } from './users.ts';

const planFields = z.object({
  name: z.string().trim().min(1).max(20).meta({ title: '名称' }),
  days: z.int().min(1).max(3660).meta({ title: '天数' }),
  price: fen.min(100).max(1_000_000).meta({ title: '价格（分）' }),
  sort: z.int().min(0).max(9999).meta({ title: '次序' }),
  enabled: flag.meta({ title: '启用' }),
});
export const plan = planFields.extend({ id });
export type Plan = z.output<typeof plan>;

export const getMembership = defineCall({
  method: 'GET',
  path: 'core/member/',
  summary: '会员方案，与自己的会员期；有权限的工作人员也看到停用的方案（all=1）',
  access: 'anyone',
  input: z.object({ all: z.literal(FLAG.on).optional().meta({ title: '含停用的' }) }),
  output: z.object({
    plans: z.array(plan),
    mine: z
      .object({ isMember: z.boolean(), memberUntil: time.nullable() })
      .nullable()
      .meta({ description: '未登录时为空' }),
  }),
});

export const createPlan = defineCall({
  method: 'POST',
  path: 'core/member/',
  summary: '新增会员方案',
  access: 'plan:create',
  input: planFields.partial({ sort: true, enabled: true }),
  output: plan,
});

export const updatePlan = defineCall({
  method: 'PUT',
  path: 'core/member/',
  summary: '修改会员方案；已有的订单不变',
  access: 'plan:update',
  input: planFields.partial().extend({ id }),
  output: plan,
});

export const removePlan = defineCall({
  method: 'DELETE',
  path: 'core/member/',
  summary: '删除会员方案；已有的订单与会员期不变',
  access: 'plan:remove',
  input: z.object({ id }),
  output: done,
});

const termSource = z.enum(['order', 'grant', 'invite', 'refund']);
const term = z.object({
  id,
  source: termSource,
  days: z.int().meta({ description: '退款时为负' }),
  until: time.meta({ description: '此后的到期时间' }),
  reason: z.string(),
  by: userCard.nullable().meta({ description: '赠送的工作人员' }),
  createdAt: time,
});
export type Term = z.output<typeof term>;

export const listTerms = defineCall({
  method: 'GET',
  path: 'core/member/term',
  summary: '会员期的来历，新的在前：自己的；有权限的工作人员可带 userId',
  access: 'user',
  input: listInput.extend({ userId: id.optional().meta({ title: '用户' }) }),
  output: pageOf(term),
});

const member = userCard.extend({ memberSince: time, memberUntil: time });
export type Member = z.output<typeof member>;

export const listMembers = defineCall({
  method: 'GET',
  path: 'core/member/user',
  summary: '会员，到期晚的在前；expired=1 为已到期的',
  access: 'member:list',
  input: listInput.extend({
    keyword: z.string().trim().max(50).optional().meta({ title: '昵称或账号' }),
    expired: z.literal(FLAG.on).optional().meta({ title: '已到期的' }),
    days: z
      .int()
      .min(1)
      .max(366)
      .optional()
      .meta({ title: '天数', description: '多少天内到期；与 expired 一起：到期不超过多少天' }),
    ...sortBy('memberUntil'),
  }),
  output: pageOf(member),
});

export const grantMembership = defineCall({
  method: 'PUT',
  path: 'core/member/user',
  summary: '赠送会员天数',
  access: 'member:update',
  input: z.object({
    userId: id.meta({ title: '用户' }),
    days: z.int().min(1).max(3660).meta({ title: '天数' }),
    reason: z.string().trim().min(1, '请写明理由').max(200).meta({ title: '理由' }),
  }),
  output: member,
});

export const calls = [
  getMembership,
  createPlan,
  updatePlan,
  removePlan,
  listTerms,
  listMembers,
  grantMembership,
] as const;
