import { z } from 'zod';
import { dayRange, id, listInput, oneOf, pageOf, sortBy, time, webAddress } from './common.ts';
import { defineCall } from './define.ts';
import { APPLICATION_STATUS } from './enums.ts';
import { userCard } from './users.ts';

const fields = z.object({
  realName: z.string().trim().min(1).max(30).meta({ title: '姓名' }),
  field: z.string().trim().min(1).max(50).meta({ title: '擅长领域' }),
  intro: z.string().trim().min(20, '请至少写 20 个字').max(1000).meta({ title: '自我介绍' }),
  works: z
    .array(webAddress(300).meta({ title: '代表作' }))
    .max(10)
    .meta({ title: '代表作', description: '作品的网址' }),
  contact: z.string().trim().min(1).max(100).meta({ title: '联系方式', description: '只给工作人员看' }),
});

const { waiting, approved, refused } = APPLICATION_STATUS;

export const applicationStatus = oneOf(waiting, approved, refused).meta({
  title: '状态',
  description: '0 待处理，1 已通过，2 未通过',
});
export type ApplicationStatus = z.output<typeof applicationStatus>;

const application = fields.extend({
  id,
  status: applicationStatus,
  reason: z.string().meta({ description: '未通过的理由' }),
  createdAt: time,
  decidedAt: time.nullable(),
});
export type Application = z.output<typeof application>;

export const getApplication = defineCall({
  method: 'GET',
  path: 'core/user/apply',
  summary: '自己最近一次的专家申请；没有时为空',
  access: 'user',
  input: z.object({}),
  output: application.nullable(),
});

export const applyAsExpert = defineCall({
  method: 'POST',
  path: 'core/user/apply',
  summary: '申请成为专家（作者）；有一份在等待处理时、已是作者时不能再申请',
  access: 'user',
  input: fields,
  output: application,
  errors: ['APPLICATION_WAITING', 'ALREADY_WRITER', 'WORDS_REFUSED'],
  limit: { max: 10, per: 86_400 },
});

const staffApplication = application.extend({
  userId: id,
  user: userCard.nullable(),
  decidedBy: userCard.nullable(),
});
export type StaffApplication = z.output<typeof staffApplication>;

export const listApplications = defineCall({
  method: 'GET',
  path: 'core/sys/apply/',
  summary: '专家申请；待处理的先来先办，其余新的在前',
  access: 'apply:list',
  input: listInput.extend({
    status: applicationStatus.optional(),
    keyword: z
      .string()
      .trim()
      .max(50)
      .optional()
      .meta({ title: '关键词', description: '昵称、账号，或姓名的开头' }),
    ...dayRange,
    ...sortBy('createdAt'),
  }),
  output: pageOf(staffApplication),
});

export const decideApplication = defineCall({
  method: 'PUT',
  path: 'core/sys/apply/',
  summary: '通过（成为作者）或不通过（要写理由）；申请人收到通知',
  access: 'apply:update',
  input: z.object({
    id,
    status: oneOf(approved, refused).meta({ title: '决定' }),
    reason: z.string().trim().max(200).optional().meta({ title: '理由' }),
  }),
  output: staffApplication,
  errors: ['ALREADY_HANDLED', 'REASON_REQUIRED'],
});

export const calls = [getApplication, applyAsExpert, listApplications, decideApplication] as const;
