import { z } from 'zod';
import { dayRange, done, id, listInput, oneOf, pageOf, sortBy, time } from './common.ts';
import { defineCall } from './define.ts';
import { REPORT_STATUS } from './enums.ts';
import { userCard, userOrGuestCard } from './users.ts';

export const reportKinds = ['essay', 'comment', 'user', 'chat', 'letter'] as const;
const kind = z.enum(reportKinds).meta({ title: '对象' });
export type ReportKind = z.output<typeof kind>;

/** A value of the dictionary `report-reason`, which staff may extend. */
const reason = z.string().trim().min(1, '请选择理由').max(30).meta({ title: '理由' });

const { waiting, upheld, dismissed } = REPORT_STATUS;

export const reportStatus = oneOf(waiting, upheld, dismissed).meta({
  title: '状态',
  description: '0 待处理，1 属实已处理，2 不属实',
});
export type ReportStatus = z.output<typeof reportStatus>;

export const createReport = defineCall({
  method: 'POST',
  path: 'core/user/report',
  summary: '举报文章、评论、用户、聊天消息或收到的私信；同一对象处理之前只记一次',
  access: 'user',
  input: z.object({
    kind,
    targetId: id.meta({ title: '对象' }),
    reason,
    detail: z.string().trim().max(500).optional().meta({ title: '说明' }),
  }),
  output: done,
  errors: ['REPORT_SELF'],
  limit: { max: 30, per: 3600 },
});

/** What staff see of a thread: the reported letter and its neighbours, as they were when it was reported. */
const letterEvidence = z.object({
  subject: z.string(),
  letters: z.array(
    z.object({
      isReported: z.boolean().meta({ description: '被举报的那一封' }),
      isByReporter: z.boolean().meta({ description: '举报的人自己写的' }),
      content: z.string().meta({ description: '前后的信只有开头' }),
      createdAt: time,
    }),
  ),
});
export type LetterEvidence = z.output<typeof letterEvidence>;

const report = z.object({
  id,
  kind,
  targetId: id,
  target: z
    .object({
      title: z.string().meta({ description: '文章标题、评论、消息或私信的原文、昵称' }),
      url: z.string().meta({ description: '在网站上的地址' }),
      user: userOrGuestCard.nullable().meta({ description: '被举报的人' }),
      chat: z
        .object({
          room: z
            .object({ id, title: z.string() })
            .nullable()
            .meta({ description: '哪篇文章的群聊；空：私聊' }),
          removed: z.boolean(),
        })
        .nullable()
        .meta({ description: '只有聊天消息有' }),
      letter: letterEvidence.nullable().meta({ description: '只有私信有：被举报的一封和前后几封' }),
    })
    .nullable()
    .meta({ description: '空：已经不在了' }),
  user: userCard.nullable().meta({ description: '举报的人' }),
  reason: z.string(),
  detail: z.string(),
  status: reportStatus,
  result: z.string().meta({ description: '处理结果，举报人会看到' }),
  handledBy: userCard.nullable(),
  handledAt: time.nullable(),
  others: z.int().meta({ description: '同一对象另外还有几条待处理的举报' }),
  createdAt: time,
});
export type Report = z.output<typeof report>;

export const listReports = defineCall({
  method: 'GET',
  path: 'core/sys/report/',
  summary: '举报，待处理的先来先办；其余新的在前；关键词在符合其余条件的最近两万条里找',
  access: 'report:list',
  input: listInput.extend({
    status: reportStatus.optional(),
    kind: kind.optional(),
    reason: z.string().max(30).optional().meta({ title: '理由' }),
    userId: id.optional().meta({ title: '举报人' }),
    ownerId: id.optional().meta({ title: '被举报的人' }),
    keyword: z.string().trim().max(50).optional().meta({ title: '说明或处理结果' }),
    ...dayRange,
    ...sortBy('createdAt'),
  }),
  output: pageOf(report),
});

export const handleReport = defineCall({
  method: 'PUT',
  path: 'core/sys/report/',
  summary: '处理举报：属实或不属实；同一对象的待处理举报一并处理，举报人收到通知',
  access: 'report:update',
  input: z.object({
    id,
    status: oneOf(upheld, dismissed).meta({ title: '结论' }),
    result: z.string().trim().min(1, '请写明处理结果').max(200).meta({ title: '处理结果' }),
  }),
  output: done,
  errors: ['ALREADY_HANDLED'],
});

export const calls = [createReport, listReports, handleReport] as const;
