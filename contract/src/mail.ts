import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

export const mailKind = z
  .enum(['code', 'reset-refused', 'account-change', 'closing', 'digest', 'test'])
  .meta({ title: '类型' });
export type MailKind = z.output<typeof mailKind>;

export const mailStatus = z
  .enum(['waiting', 'sent', 'failed'])
  .meta({ title: '状态', description: '等待发送、邮件服务器已收下、没有发出' });
export type MailStatus = z.output<typeof mailStatus>;

const mail = z.object({
  id,
  kind: mailKind,
  address: z.string().meta({ description: '收件地址' }),
  status: mailStatus,
  attempts: z.int().meta({ description: '尝试了几次' }),
  reason: z.string().meta({ description: '最近一次失败的原因' }),
  response: z.string().meta({ description: '邮件服务器的原话' }),
  bounced: z.boolean().meta({ description: '收件地址被退回' }),
  canRetry: z.boolean(),
  createdAt: time,
  updatedAt: time,
});
export type MailRecord = z.output<typeof mail>;

export const listMails = defineCall({
  method: 'GET',
  path: 'core/sys/mail/',
  summary: '发出的邮件，新的在前，保留三十天；不含正文',
  access: 'mail:list',
  input: listInput.extend({
    status: mailStatus.optional(),
    kind: mailKind.optional(),
    keyword: z.string().trim().toLowerCase().max(100).optional().meta({ title: '收件地址' }),
  }),
  output: pageOf(mail),
});

export const getMail = defineCall({
  method: 'GET',
  path: 'core/sys/mail/one',
  summary: '一封邮件的发送情况',
  access: 'mail:list',
  input: z.object({ id }),
  output: mail,
});

export const getMailSetup = defineCall({
  method: 'GET',
  path: 'core/sys/mail/setup',
  summary: '邮件的配置（不含密码），与邮件的模板',
  access: 'mail:list',
  input: z.object({}),
  output: z.object({
    configured: z.boolean(),
    server: z.string().nullable().meta({ description: '主机与端口；没有配置 SMTP_URL 时为空' }),
    secure: z.boolean().meta({ description: '是否从一开始就加密（smtps）' }),
    from: z.string().nullable().meta({ description: '发件地址' }),
    testedAt: time.nullable().meta({ description: '上次用现在的服务器测试成功的时间' }),
    templates: z.array(
      z.object({
        kind: mailKind,
        subject: z.string(),
        text: z.string().meta({ description: '纯文本' }),
        url: z.string().meta({ description: '预览 HTML 的地址' }),
      }),
    ),
  }),
});

export const testMail = defineCall({
  method: 'POST',
  path: 'core/sys/mail/test',
  summary: '发一封测试邮件；结果看 core/sys/mail/one',
  access: 'mail:update',
  input: z.object({
    to: z
      .string()
      .trim()
      .toLowerCase()
      .max(100)
      .pipe(z.email('邮箱地址的格式不对'))
      .meta({ title: '收件地址' }),
  }),
  output: z.object({ id }),
  errors: ['MAIL_NOT_CONFIGURED'],
  limit: { max: 10, per: 60 },
});

export const retryMail = defineCall({
  method: 'POST',
  path: 'core/sys/mail/retry',
  summary: '重发一封没有发出的邮件',
  access: 'mail:update',
  input: z.object({ id }),
  output: done,
  errors: ['MAIL_NOT_RETRYABLE'],
});

export const calls = [listMails, getMail, getMailSetup, testMail, retryMail] as const;
