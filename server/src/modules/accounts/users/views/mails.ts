import { UNDO_DAYS } from '@mozhan/contract/account-changes.ts';
import { formatChinaTime } from '../../../../day.ts';
import type { MailContent, MailSite } from '../../../platform/mail-sms/index.ts';

export const toCodeMail = (title: string, purpose: string, digits: string): MailContent => ({
  subject: `${purpose}验证码 ${digits}`,
  blocks: [
    `你正在${title}${purpose}，验证码是：`,
    { code: digits },
    '10 分钟内有效，请不要告诉任何人。如果不是你本人操作，忽略这封邮件即可。',
  ],
});

export const toResetRefusedMail = (title: string): MailContent => ({
  subject: '暂时不能用这个邮箱重置密码',
  blocks: [
    `有人请求用这个邮箱重置${title}的密码。为了防止账号被盗，绑定不满 24 小时的邮箱不能用来重置密码，请过后再试，或者用账号里原有的邮箱或手机号。`,
    '如果不是你本人操作，忽略这封邮件即可。',
  ],
});

interface ChangeMail {
  title: string;
  description: string;
  device: string;
  region: string;
  now: Date;
  /** An absolute URL, or a path when the site address is not configured; null for no link. */
  link: { url: string } | { path: string } | null;
}

const UNDO = '这不是我本人操作';

function toUndoBlocks(title: string, link: ChangeMail['link']): MailContent['blocks'] {
  if (link === null) return ['如果不是你本人操作，请马上登录并修改密码；登录不了就重置密码。'];
  return [
    'url' in link
      ? { button: UNDO, url: link.url }
      : `${UNDO}：在浏览器里打开${title}，把地址栏里域名之后的部分换成\n${link.path}`,
    `打开以后按「确认撤销」，所有设备和 API 令牌立即退出，这次及之后的变更会撤销，再用原来的邮箱或手机号重置密码。链接 ${UNDO_DAYS} 天内有效，只能用一次，请不要转发。`,
  ];
}

export const toChangeMail = ({ title, description, device, region, now, link }: ChangeMail): MailContent => ({
  subject: `你的账号${description}`,
  blocks: [
    `你在${title}的账号刚刚${description}。`,
    {
      facts: [
        ['时间', formatChinaTime(now)],
        ['设备', region === '' ? device : `${device}（${region}）`],
      ],
    },
    '如果是你本人操作，不用理会这封邮件。',
    ...toUndoBlocks(title, link),
  ],
});

/** Examples for the preview in the back office. */
export const mailSamples = {
  code: ({ title }: MailSite) => toCodeMail(title, '登录', '246810'),
  'reset-refused': ({ title }: MailSite) => toResetRefusedMail(title),
  'account-change': ({ title, siteUrl }: MailSite) =>
    toChangeMail({
      title,
      description: '绑定了新的邮箱 l***@example.com',
      device: 'Chrome · Windows',
      region: '浙江',
      now: new Date('2026-01-02T04:05:00Z'),
      link: { url: `${siteUrl ?? 'https://example.com'}/account/undo.html` },
    }),
};
