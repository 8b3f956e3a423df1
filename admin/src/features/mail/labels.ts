import type { MailKind, MailStatus } from '@mozhan/contract/mail.ts';
import type { Label } from '#admin/ui/labels.tsx';

export const kindLabels: Record<MailKind, string> = {
  code: '验证码',
  'reset-refused': '不能重置密码的说明',
  'account-change': '账号变更提醒',
  closing: '注销提醒',
  digest: '通知汇总',
  test: '测试邮件',
};

export const statusLabels: Record<MailStatus, Label> = {
  waiting: { label: '等待', color: 'processing' },
  sent: { label: '已发出', color: 'success' },
  failed: { label: '失败', color: 'error' },
};
