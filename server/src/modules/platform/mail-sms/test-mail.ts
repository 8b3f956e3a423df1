import type { MailContent } from './template.ts';

export const testMailContent: MailContent = {
  subject: '测试邮件',
  blocks: [
    '收到这封邮件，说明网站的邮件已经配置好，验证码和通知都能寄到。',
    { note: '这封邮件是管理员在后台按「发送测试邮件」发出的。' },
  ],
};
